package httpapi

import (
	"bytes"
	"context"
	"net/http"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"tenure/api"
)

// GetHealth implements GET /healthz.
func (s *server) GetHealth(context.Context, api.GetHealthRequestObject) (api.GetHealthResponseObject, error) {
	return api.GetHealth200JSONResponse{Status: "ok"}, nil
}

// GetReadiness implements GET /readyz.
func (s *server) GetReadiness(
	ctx context.Context, _ api.GetReadinessRequestObject,
) (api.GetReadinessResponseObject, error) {
	ready, err := s.deps.Service.Ready(ctx)
	if err != nil {
		return nil, err
	}
	answer := api.GetReadiness200JSONResponse{Status: "ok"}
	for _, p := range ready.Parked {
		answer.Parked = append(answer.Parked, api.ParkedConsumer{Consumer: p.Consumer, Tenants: p.Tenants})
	}
	return answer, nil
}

// GetMetrics implements GET /metrics.
func (s *server) GetMetrics(ctx context.Context, _ api.GetMetricsRequestObject) (api.GetMetricsResponseObject, error) {
	return scrape{
		handler: promhttp.HandlerFor(s.deps.Gatherer, promhttp.HandlerOpts{}),
		request: stateOf(ctx).echo.Request(),
	}, nil
}

type scrape struct {
	handler http.Handler
	request *http.Request
}

func (m scrape) VisitGetMetricsResponse(w http.ResponseWriter) error {
	m.handler.ServeHTTP(w, m.request)
	return nil
}

// GetOpenAPI implements GET /openapi.yaml.
func (s *server) GetOpenAPI(context.Context, api.GetOpenAPIRequestObject) (api.GetOpenAPIResponseObject, error) {
	return api.GetOpenAPI200ApplicationopenapiYamlResponse{
		Body: bytes.NewReader(api.Document), ContentLength: int64(len(api.Document)),
	}, nil
}
