/** Creates gateway responses, which the emulator ignores in an OpenAPI document. */
import { gatewayResponsesExtension } from '#infra/gateway/gatewayResponses.ts';
import { emulatorAuthorization } from './emulatorAuthorization.ts';

export async function putGatewayResponses(endpoint: string, stages: Record<string, string>): Promise<void> {
  for (const [apiId, stageName] of Object.entries(stages)) {
    for (const [type, response] of Object.entries(gatewayResponsesExtension(undefined))) {
      await send('PUT', `${endpoint}/restapis/${apiId}/gatewayresponses/${type}`, response);
    }
    await send('POST', `${endpoint}/restapis/${apiId}/deployments`, { stageName });
  }
}

async function send(method: string, url: string, body: unknown): Promise<void> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', authorization: emulatorAuthorization('apigateway') },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${await response.text()}`);
}
