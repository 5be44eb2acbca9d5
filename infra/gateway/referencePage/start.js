// Runs in the browser, after the library in the same file. Makes server URLs absolute, because the library resolves
// them against the origin instead of the document and loses the stage, prefix and webhook id.
(async () => {
  const source = new URL('openapi.json', location.href);
  const answer = await fetch(source);
  const content = await answer.json();
  const absolute = servers => servers.map(({ url }) => ({ url: new URL(url, source).href.replace(/\/$/, '') }));
  content.servers = absolute(content.servers);
  for (const { servers, ...operations } of Object.values(content.paths)) {
    if (!servers) continue;
    // The library reads an operation's servers instead of its path's, and prefers the document's unless one is
    // selected.
    const [server] = absolute(servers);
    for (const operation of Object.values(operations)) {
      Object.assign(operation, { servers: [server], 'x-scalar-selected-server': server.url });
    }
  }
  // The client would otherwise send the first value of an optional enum.
  const operations = Object.values(content.paths).flatMap(methods => Object.values(methods));
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if (!parameter.required && parameter.schema.enum) parameter.example ??= '';
  }
  // The navigation lists operations by name. Descriptions begin with the summaries.
  for (const operation of operations) if (operation.operationId) operation.summary = operation.operationId;
  // The description has the words for a pattern, and a format implies its own.
  const removePatterns = schema => {
    if (typeof schema !== 'object' || schema === null) return;
    if (typeof schema.pattern === 'string') delete schema.pattern;
    for (const each of Object.values(schema)) removePatterns(each);
  };
  for (const operation of operations) {
    for (const { schema } of operation.parameters ?? []) removePatterns(schema);
    for (const part of [operation.requestBody, ...Object.values(operation.responses ?? {})]) {
      for (const { schema } of Object.values(part?.content ?? {})) removePatterns(schema);
    }
  }
  document.title = `${content.info.title}: API reference`;
  window.Scalar.createApiReference('#reference', {
    content,
    proxyUrl: '',
    telemetry: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    persistAuth: false,
    authentication: {
      preferredSecurityScheme: [Object.keys(content.components.securitySchemes).filter(name => name !== 'adminSecret')],
    },
    operationTitleSource: 'summary',
    hiddenClients: true,
    showOperationId: true,
    defaultOpenFirstTag: false,
    hideModels: true,
    // The default greys and reds have too little contrast.
    customCss: `
      .light-mode {
        --scalar-color-2: #595959; --scalar-color-3: #636363; --scalar-color-green: #046c49;
        --scalar-color-orange: #b23e00; --scalar-color-red: #c40006; --scalar-color-blue: #0069a8;
      }
      .dark-mode { --scalar-color-2: #b8b8b8; --scalar-color-3: #a3a3a3; --scalar-color-red: #ff7a7a; }
    `,
  });
})();
