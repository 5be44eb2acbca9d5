import { describe, expect, it } from 'vitest';
import * as routes from '#functions/socket/index.ts';
import { accesses } from '#infra/bundle/entries.ts';
import { KEEP_ALIVE_REPLY } from '#shared/api/socket/keepAlive.ts';
import { EVERY_SETTING } from './everySetting.ts';
import { type Synthesised, synthesised } from './template.ts';

const plain = synthesised();
const gradual = synthesised({ alarmEmail: 'you@example.com', rollout: 'gradual' });
const ofType = ({ all }: Synthesised, type: string) =>
  all.filter(([, { Type }]) => Type === `AWS::ApiGatewayV2::${type}`).map(([id, { Properties }]) => [id, Properties]);
const textOf = (value: unknown) => JSON.stringify(value);

describe('the WebSocket API', () => {
  it('has a route per function and one that invokes nothing, and none for other frames', () => {
    const declared = Object.values(routes).map(({ route }) => route);

    const [[, api]] = ofType(plain, 'Api') as [[string, Record<string, unknown>]];
    const keys = ofType(plain, 'Route').map(([, { RouteKey }]) => RouteKey);
    expect(api).toMatchObject({ ProtocolType: 'WEBSOCKET', RouteSelectionExpression: '$request.body.action' });
    expect(keys.sort()).toEqual([...declared, 'keepAlive'].sort());
  });

  it('returns the reply to a keep-alive frame itself, because CloudFront closes a connection that receives nothing', () => {
    const [mock] = ofType(plain, 'Integration').filter(([, each]) => each.IntegrationType === 'MOCK');
    const [, route] = ofType(plain, 'Route').find(([, { RouteKey }]) => RouteKey === 'keepAlive')!;
    const [, response] = ofType(plain, 'IntegrationResponse')[0]!;

    expect(textOf(route.Target)).toContain(mock![0]);
    expect(route.RouteResponseSelectionExpression).toBe('$default');
    expect(ofType(plain, 'RouteResponse')).toHaveLength(1);
    expect(Object.values(response.ResponseTemplates)).toEqual([KEEP_ALIVE_REPLY]);
  });

  it.each([
    ['the function', plain, ''],
    ['the live version of the function', gradual, ':live'],
  ])('invokes %s through one role', (_, stack, alias) => {
    const proxies = ofType(stack, 'Integration').filter(([, each]) => each.IntegrationType === 'AWS_PROXY');

    for (const name of Object.keys(routes)) {
      const [, proxy] = proxies.find(([, { IntegrationUri }]) => textOf(IntegrationUri).includes(`-socket-${name}`))!;
      expect(textOf(proxy.IntegrationUri)).toContain(`:function:Parley-socket-${name}${alias}/invocations`);
      expect(proxy.CredentialsArn).toBeDefined();
    }
    expect(proxies).toHaveLength(Object.keys(routes).length);
  });

  it('publishes changed routes by another deployment', () => {
    const [before, same, changed] = [plain, synthesised(EVERY_SETTING), gradual].map(
      each => ofType(each, 'Deployment')[0]![0],
    );

    expect(changed).not.toBe(before);
    expect(same).toBe(changed);
  });

  it('writes an access log without the query, which contains user keys', () => {
    const [, stage] = ofType(plain, 'Stage')[0]!;
    const fields = Object.values<string>(JSON.parse(stage.AccessLogSettings.Format));

    expect(fields.filter(field => /query|header|path/i.test(field))).toEqual([]);
    expect(fields).toContain('$context.eventType');
    expect(stage).toMatchObject({
      StageName: 'socket',
      DefaultRouteSettings: { ThrottlingRateLimit: 1_000, ThrottlingBurstLimit: 500 },
    });
  });
});

describe('the right to send to connections', () => {
  const senders = [...accesses].flatMap(([name, { connections }]) => (connections ? [name] : []));

  it('belongs to exactly the functions that declare it, with the address', () => {
    const granted = plain.functions.filter(({ actions }) => actions.includes('execute-api:ManageConnections'));
    const addressed = plain.functions.filter(({ properties }) => properties.Environment?.Variables.SOCKET_ENDPOINT);

    expect(senders).toEqual(expect.arrayContaining(['pushSignals', 'keepConnections']));
    expect(granted.map(({ description }) => description).sort()).toEqual(senders.toSorted());
    expect(addressed.map(({ description }) => description).sort()).toEqual(senders.toSorted());
  });

  it('permits frames and closing on the connections of this API', () => {
    const { statements } = plain.functions.find(({ description }) => description === 'pushSignals')!;
    const { Resource } = statements.find(({ Action }) => Action === 'execute-api:ManageConnections')!;

    const texts = (Resource as unknown[]).map(textOf);
    expect(texts).toEqual([
      expect.stringMatching(/SocketApi.*\/socket\/POST\/@connections\/\*/),
      expect.stringMatching(/SocketApi.*\/socket\/DELETE\/@connections\/\*/),
    ]);
  });
});
