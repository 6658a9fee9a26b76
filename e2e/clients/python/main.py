"""The smallest write and a compilation with a client that openapi-python-client generates.

"make test-clients" has mypy check it; it is not run.
"""

from tenure_client import AuthenticatedClient
from tenure_client.api.compile_ import compile_
from tenure_client.api.observations import observe
from tenure_client.models import (
    ClaimInput,
    Compilation,
    CompileInput,
    MentionInput,
    ObservationAnswer,
    ObservationInput,
    SourceInput,
    SubjectInput,
)


def write(client: AuthenticatedClient) -> str:
    """Record where somebody works and return the entity."""
    answer = observe.sync(
        client=client,
        idempotency_key="row-1",
        body=ObservationInput(
            source=SourceInput(origin="conversation://s1/7"),
            mentions=[MentionInput(name="Jon Smith", type_="person")],
            claims=[ClaimInput(subject=SubjectInput(mention=0), predicate="office", value="Chicago")],
        ),
    )
    if not isinstance(answer, ObservationAnswer):
        raise RuntimeError("no answer" if answer is None else f"{answer.code.value}: {answer.detail}")
    return str(answer.mentions[0].entity_id)


def read(client: AuthenticatedClient) -> list[str]:
    """Return the predicates of an envelope, each with its place."""
    answer = compile_.sync(client=client, body=CompileInput(query="Where does Jon Smith work?", budget_tokens=500))
    if not isinstance(answer, Compilation):
        raise RuntimeError("no answer" if answer is None else f"{answer.code.value}: {answer.detail}")
    metadata = answer.trace.state_compilation_metadata
    for left in metadata.omitted_objects:
        print(left.predicate, left.reason.value)
    return [f"{o.predicate}: {o.zone.value} {o.line}, relevance {o.relevance:.2f}" for o in metadata.compiled_objects]


if __name__ == "__main__":
    service = AuthenticatedClient(base_url="http://127.0.0.1:8080", token="tnr_key")
    print(write(service), read(service))
