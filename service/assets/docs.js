// Starts Scalar (docs/adr/0003) on this service's own description. Whatever talks to another host is off.
Scalar.createApiReference("#docs", {
  url: "/openapi.yaml",
  agent: { disabled: true },
  hideClientButton: true,
  mcp: { disabled: true },
  persistAuth: false, // keys and tokens stay in this page
  showDeveloperTools: "never",
  telemetry: false,
  withDefaultFonts: false,
});
