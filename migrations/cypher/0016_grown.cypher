// Tenants are found by the time of their last entry: those whose logs have grown.

CREATE INDEX tenant_grown IF NOT EXISTS FOR (n:Tenant) ON (n.last_tx);
