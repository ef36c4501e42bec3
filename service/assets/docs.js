// Starts Scalar (docs/adr/0003) on this service's own description. Whatever talks to another host is off.

globalThis.__zod_globalConfig = { jitless: true }; // Zod, within Scalar, need not try whether eval is allowed

addEventListener("DOMContentLoaded", () =>
  Scalar.createApiReference("#docs", {
    url: "/openapi.yaml",
    agent: { disabled: true },
    authentication: { preferredSecurityScheme: [["apiKey", "gameToken"]] },
    defaultOpenAllTags: true,
    hideClientButton: true,
    mcp: { disabled: true },
    persistAuth: false, // keys and tokens stay in this page
    showDeveloperTools: "never",
    telemetry: false,
    withDefaultFonts: false,
  }),
);
