import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { addFirewall } from '#infra/stack/firewall.ts';
import { RESERVED_OUTPUT, reservedConcurrencyOf, sumOf } from '#infra/stack/reservedConcurrency.ts';
import { throttlingOf } from '#infra/stack/throttling.ts';
import { RATE_LIMITS } from '#shared/api/rateLimit.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { type Synthesised, synthesised } from './template.ts';

const stackWith = (context: Record<string, string>) => new Stack(new App({ context }));
const ofType = ({ all }: Synthesised, type: string) =>
  all.filter(([, { Type }]) => Type === type).map(([, { Properties }]) => Properties);
const functionOf = ({ functions }: Synthesised, name: string) =>
  functions.find(({ description }) => description === name)!.properties;

const plain = synthesised();
const extended = synthesised({
  firewall: 'on',
  firewallRate: '5000',
  accountConcurrency: '1000',
  throttleRate: '70',
  throttleBurst: '30',
  codeConcurrency: '10',
});

describe('the concurrency of deployed code', () => {
  const deployer = ({ functions }: Synthesised) =>
    functions.find(({ description }) => description === 'deployCode')!.actions;

  it("is not reserved by default, because a reservation always reduces the account's concurrency", () => {
    expect(deployer(plain)).not.toContain('lambda:PutFunctionConcurrency');
    expect(functionOf(plain, 'deployCode').Environment.Variables).not.toHaveProperty('CODE_CONCURRENCY');
  });

  it("uses the operator's setting, and can then be reserved", () => {
    expect(deployer(extended)).toContain('lambda:PutFunctionConcurrency');
    expect(functionOf(extended, 'deployCode').Environment.Variables.CODE_CONCURRENCY).toBe('10');
  });
});

describe('tags', () => {
  const TAGS = { CostCenter: '1234', Team: 'Chat platform' };
  const tagged = synthesised({ tags: 'CostCenter=1234,Team=Chat platform' });
  const tagsOfCode = (from: Synthesised) => JSON.parse(functionOf(from, 'deployCode').Environment.Variables.CODE_TAGS);

  it("applies the operator's tags to the stack, which CloudFormation passes to its resources, and to bots' functions", () => {
    expect(tagged.stack.tags.tagValues()).toEqual(TAGS);
    expect(tagsOfCode(tagged)).toEqual({ 'parley:stack': 'Parley', ...TAGS });
  });

  it('names the stack of deployed code by default', () => {
    expect(plain.stack.tags.tagValues()).toEqual({});
    expect(tagsOfCode(plain)).toEqual({ 'parley:stack': 'Parley' });
  });

  it('can be set by the only function that creates functions', () => {
    const permitted = plain.functions.filter(({ actions }) => actions.includes('lambda:TagResource'));

    expect(permitted.map(({ description }) => description)).toEqual(['deployCode']);
    const [statement] = permitted[0]!.statements.filter(({ Action }) => Action.includes('lambda:CreateFunction'));
    expect(statement!.Action).toContain('lambda:TagResource');
    expect(JSON.stringify(statement!.Resource)).toContain('function:Parley-code-*');
  });
});

/** Rules of AWS's groups, from its documentation (aws-managed-rule-groups-baseline, aws-managed-rule-groups-ip-rep). */
const MANAGED_RULES: Record<string, readonly string[]> = {
  AWSManagedRulesAmazonIpReputationList: [
    ...['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList', 'AWSManagedIPDDoSList'],
  ],
  AWSManagedRulesKnownBadInputsRuleSet: [
    ...['HEADER', 'BODY', 'URIPATH', 'QUERYSTRING'].flatMap(part => [
      `JavaDeserializationRCE_${part}`,
      `Log4JRCE_${part}`,
    ]),
    ...['Host_localhost_HEADER', 'PROPFIND_METHOD', 'ExploitablePaths_URIPATH', 'ReactJSRCE_BODY'],
  ],
  AWSManagedRulesCommonRuleSet: [
    ...['NoUserAgent_HEADER', 'UserAgent_BadBots_HEADER'],
    ...['QUERYSTRING', 'Cookie_HEADER', 'BODY', 'URIPATH'].map(part => `SizeRestrictions_${part}`),
    ...['BODY', 'COOKIE', 'URIPATH', 'QUERYARGUMENTS'].flatMap(part => [
      `EC2MetaDataSSRF_${part}`,
      `CrossSiteScripting_${part}`,
    ]),
    ...['BODY', 'URIPATH', 'QUERYARGUMENTS'].flatMap(part => [`GenericLFI_${part}`, `GenericRFI_${part}`]),
    ...['URIPATH', 'QUERYARGUMENTS'].map(part => `RestrictedExtensions_${part}`),
  ],
};
interface ManagedGroup {
  Statement: { ManagedRuleGroupStatement: { RuleActionOverrides?: { Name: string; ActionToUse: unknown }[] } };
}
const overridesOf = ({ Statement }: ManagedGroup) => Statement.ManagedRuleGroupStatement.RuleActionOverrides ?? [];

describe('the firewall', () => {
  const [acl] = ofType(extended, 'AWS::WAFv2::WebACL');
  const rules: { Name: string; Priority: number; [name: string]: unknown }[] = acl?.Rules ?? [];
  const RATES = ['rate', 'edge-rate', 'preflights', 'edge-preflights'];
  const groups = rules.filter(({ Name }) => !RATES.includes(Name));

  it('does not exist by default, because it costs while idle', () => {
    expect(plain.all.filter(([, { Type }]) => Type.startsWith('AWS::WAFv2::'))).toEqual([]);
  });

  it('protects the stages of all APIs', () => {
    expect(acl.Scope).toBe('REGIONAL');
    for (const api of [extended.chat, extended.platform, extended.webhook])
      expect(Object.values(api).filter(({ Type }) => Type === 'AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
    expect(
      new Set(ofType(extended, 'AWS::WAFv2::WebACLAssociation').map(each => JSON.stringify(each.ResourceArn))).size,
    ).toBe(3);
  });

  it('allows what no rule blocks, and stores no request samples, because headers are secrets', () => {
    expect(acl.DefaultAction).toEqual({ Allow: {} });
    expect(JSON.stringify(acl)).not.toContain('"SampledRequestsEnabled":true');
  });

  it('only counts matches of user content, names, cookies and user agents', () => {
    const overrides = groups.flatMap(group => overridesOf(group as never));
    const counting = overrides.filter(({ ActionToUse }) => JSON.stringify(ActionToUse) === '{"Count":{}}');
    const blocking = Object.values(MANAGED_RULES)
      .flat()
      .filter(rule => !counting.some(({ Name }) => Name === rule));

    expect(blocking.filter(rule => !/List$/.test(rule)).sort()).toEqual([
      'Host_localhost_HEADER',
      'JavaDeserializationRCE_HEADER',
      'Log4JRCE_HEADER',
      'PROPFIND_METHOD',
    ]);
  });

  it('returns 403 in the wire format for attacks and addresses with a bad reputation', () => {
    const overrides = groups.flatMap(group => overridesOf(group as never)) as unknown as {
      Name: string;
      ActionToUse: {
        Block?: { CustomResponse: { ResponseCode: number; CustomResponseBodyKey: string; ResponseHeaders: unknown[] } };
      };
    }[];
    const blocking = overrides.filter(({ ActionToUse: { Block } }) => Block);

    expect(blocking.map(({ Name }) => Name).sort()).toEqual([
      // AWS sets AWSManagedIPDDoSList to count.
      'AWSManagedIPReputationList',
      'AWSManagedReconnaissanceList',
      'Host_localhost_HEADER',
      'JavaDeserializationRCE_HEADER',
      'Log4JRCE_HEADER',
      'PROPFIND_METHOD',
    ]);
    for (const { ActionToUse } of blocking) {
      const { ResponseCode, CustomResponseBodyKey, ResponseHeaders } = ActionToUse.Block!.CustomResponse;
      const { ContentType, Content } = acl.CustomResponseBodies[CustomResponseBodyKey];
      expect([ResponseCode, ContentType]).toEqual([403, 'APPLICATION_JSON']);
      expect(ResponseHeaders).toEqual([{ Name: 'Access-Control-Allow-Origin', Value: '*' }]);
      expect(JSON.parse(Content)).toEqual({
        id: 'err_firewall',
        code: 403,
        type: 'Forbidden',
        message: expect.any(String),
      });
    }
  });

  it('names existing rules of AWS, because it rejects unknown ones', () => {
    for (const group of groups) {
      const named = overridesOf(group as never).map(({ Name }) => Name);
      expect(
        named.filter(name => !MANAGED_RULES[group.Name]!.includes(name)),
        group.Name,
      ).toEqual([]);
      expect(new Set(named).size).toBe(named.length);
    }
  });

  it('only counts matches of rules that AWS adds to the core rule set', () => {
    const actions = Object.fromEntries(groups.map(({ Name, OverrideAction }) => [Name, OverrideAction]));

    expect(actions).toEqual({
      AWSManagedRulesAmazonIpReputationList: { None: {} },
      AWSManagedRulesKnownBadInputsRuleSet: { None: {} },
      AWSManagedRulesCommonRuleSet: { Count: {} },
    });
  });

  it('blocks an address that calls too often, and counts preflights and the distribution separately', () => {
    const rates = rules.filter(({ Name }) => RATES.includes(Name)) as unknown as {
      Priority: number;
      Statement: { RateBasedStatement: { ScopeDownStatement: unknown; [name: string]: unknown } };
      Action: unknown;
    }[];
    const preflight = {
      ByteMatchStatement: {
        FieldToMatch: { Method: {} },
        PositionalConstraint: 'EXACTLY',
        SearchString: 'OPTIONS',
        TextTransformations: [{ Priority: 0, Type: 'NONE' }],
      },
    };

    const edge = {
      ByteMatchStatement: {
        FieldToMatch: { SingleHeader: { Name: 'x-parley-edge' } },
        PositionalConstraint: 'EXACTLY',
        SearchString: { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] },
        TextTransformations: [{ Priority: 0, Type: 'NONE' }],
      },
    };
    const not = (Statement: unknown) => ({ NotStatement: { Statement } });
    const both = (...Statements: unknown[]) => ({ ScopeDownStatement: { AndStatement: { Statements } } });
    const direct = { AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 5_000 };
    const forwarded = {
      ...direct,
      AggregateKeyType: 'FORWARDED_IP',
      ForwardedIPConfig: { HeaderName: 'x-parley-viewer', FallbackBehavior: 'NO_MATCH' },
    };
    expect(rates.map(({ Priority, Statement }) => [Priority, Statement.RateBasedStatement])).toEqual([
      [0, { ...direct, ...both(not(preflight), not(edge)) }],
      [1, { ...forwarded, ...both(not(preflight), edge) }],
      [2, { ...direct, ...both(preflight, not(edge)) }],
      [3, { ...forwarded, ...both(preflight, edge) }],
    ]);
    expect(new Set(rules.map(({ Priority }) => Priority)).size).toBe(rules.length);
  });

  it.each([
    [undefined, 'method.request.header.origin'],
    ['https://example.com', "'https://example.com'"],
  ])('lets browsers of the origins %s read the 429, with Retry-After', (allowedOrigins, expected) => {
    const stack = synthesised({ firewall: 'on', ...(allowedOrigins ? { allowedOrigins } : {}) });
    const [blocking] = ofType(stack, 'AWS::WAFv2::WebACL');
    const rates = blocking.Rules.filter(({ Name }: { Name: string }) => RATES.includes(Name));

    // A custom response would replace that of the gateway.
    expect(rates.map(({ Action }: { Action: unknown }) => Action)).toEqual(RATES.map(() => ({ Block: {} })));
    for (const { Body } of ofType(stack, 'AWS::ApiGateway::RestApi')) {
      const response = Body['x-amazon-apigateway-gateway-responses'].WAF_FILTERED;
      expect(response.statusCode).toBe('429');
      expect(response.responseParameters).toMatchObject({
        'gatewayresponse.header.Access-Control-Allow-Origin': expected,
        'gatewayresponse.header.Access-Control-Allow-Credentials': "'true'",
        'gatewayresponse.header.Access-Control-Expose-Headers': expect.stringContaining('retry-after'),
        'gatewayresponse.header.Retry-After': "'60'",
      });
      expect(JSON.parse(response.responseTemplates['application/json'])).toMatchObject({
        id: 'err_$context.requestId',
        code: 429,
        type: 'RateLimited',
      });
    }
  });

  it('admits an address that makes all the calls of its token', () => {
    const [{ Rules }] = ofType(synthesised({ firewall: 'on' }), 'AWS::WAFv2::WebACL') as [
      { Rules: { Statement: { RateBasedStatement?: { Limit: number } } }[] },
    ];
    const limits = Rules.flatMap(({ Statement }) => Statement.RateBasedStatement?.Limit ?? []);

    expect(limits).toHaveLength(4);
    for (const limit of limits) expect(limit).toBeGreaterThan(RATE_LIMITS.token * 6);
  });

  it.each([{ firewall: 'yes' }, { firewall: 'on', firewallRate: '1' }, { firewall: 'on', firewallRate: 'many' }])(
    'rejects %j at deployment',
    context => {
      expect(() => addFirewall(stackWith(context as never))).toThrow(/^The setting firewall\w* must be/);
    },
  );
});

describe('concurrency', () => {
  const maximaOf = (from: Synthesised) =>
    ofType(from, 'AWS::Lambda::EventSourceMapping').flatMap(
      ({ ScalingConfig }) => ScalingConfig?.MaximumConcurrency ?? [],
    );

  const reservationsOf = ({ functions }: Synthesised): Record<string, number> =>
    Object.fromEntries(
      functions.flatMap(({ description, properties: { ReservedConcurrentExecutions: reserved } }) =>
        reserved === undefined ? [] : [[description, reserved]],
      ),
    );

  it('is limited for all queues to less than half of an ordinary account', () => {
    const declared = Object.values(QUEUES).map(({ maxConcurrency }) => maxConcurrency);

    expect(maximaOf(plain).sort()).toEqual(declared.sort());
    expect(declared.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(500);
    // Limits of an event source.
    for (const each of declared) expect(each >= 2 && each <= 1_000).toBe(true);
  });

  it('is not reserved if the limit is unknown, as in npm run synth', () => {
    expect(reservationsOf(plain)).toEqual({});
  });

  it.each(['0', '10', '100', '249'])(
    'is not reserved in an account with a limit of %s, where that would fail',
    limit => {
      const small = synthesised({ accountConcurrency: limit });

      expect(reservationsOf(small)).toEqual({});
      expect(maximaOf(small)).toContain(QUEUES.deliveries.maxConcurrency);
      expect(Template.fromStack(small.stack).toJSON().Outputs[RESERVED_OUTPUT].Value).toBe('0');
    },
  );

  it.each([
    { limit: 250, listening: 12, deliveries: 50, calls: 12 },
    { limit: 1_000, listening: 50, deliveries: 200, calls: 50 },
    { limit: 10_000, listening: 500, deliveries: 2_000, calls: 500 },
  ])('is reserved for streams, deliveries and calls of endpoints in an account with a limit of $limit', expected => {
    const { limit, listening, deliveries, calls } = expected;
    const from = synthesised({ accountConcurrency: String(limit) });
    const reserved = reservationsOf(from);
    const sum = Object.values(reserved).reduce((total, each) => total + each, 0);

    expect(reserved).toEqual({
      'chat-initializeConversation': listening,
      'chat-listenConversation': listening,
      deliver: deliveries,
      'botChat-callAction': calls,
      'webhook-receiveWebhook': calls,
    });
    expect(limit - sum).toBeGreaterThanOrEqual(100);
    // Deployed code runs only for these three, so a tenth remains for all other calls.
    expect(limit - sum - deliveries - 2 * calls).toBeGreaterThanOrEqual(limit / 10);
    expect(Template.fromStack(from.stack).toJSON().Outputs[RESERVED_OUTPUT].Value).toBe(String(sum));
  });

  it.each(Array.from({ length: 400 }, (_, i) => i * 7))(
    'leaves the 100 that Lambda requires in an account with a limit of %i',
    limit => {
      const reserved = reservedConcurrencyOf(stackWith({ accountConcurrency: String(limit) }));

      expect(limit - (reserved ? sumOf(reserved) : 0)).toBeGreaterThanOrEqual(reserved ? 100 : 0);
      expect(reserved !== undefined).toBe(limit >= 250);
    },
  );

  it('never exceeds the reserved concurrency for deliveries', () => {
    const small = synthesised({ accountConcurrency: '250' });

    expect(functionOf(small, 'deliver').ReservedConcurrentExecutions).toBe(50);
    expect(maximaOf(small)).toContain(50);
    expect(maximaOf(small)).not.toContain(QUEUES.deliveries.maxConcurrency);
  });

  it.each(['-1', 'all', '1e3'])('rejects a limit of %s at deployment', accountConcurrency => {
    expect(() => reservedConcurrencyOf(stackWith({ accountConcurrency }))).toThrow(
      'The setting accountConcurrency must be a whole number from 0',
    );
  });
});

describe('throttling', () => {
  const settingsOf = (from: Synthesised) =>
    ofType(from, 'AWS::ApiGateway::Stage').map(({ MethodSettings }) => MethodSettings);
  const all = (rate: number, burst: number) => [
    expect.objectContaining({
      HttpMethod: '*',
      ResourcePath: '/*',
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
    }),
  ];

  it("shares the account's limit among the APIs, with a tenth for webhooks", () => {
    expect(settingsOf(plain)).toEqual([all(4_000, 2_000), all(4_000, 2_000), all(1_000, 500)]);
  });

  it("uses the operator's setting", () => {
    expect(settingsOf(extended)).toEqual([all(70, 30), all(70, 30), all(70, 30)]);
  });

  it.each([{ throttleRate: '0' }, { throttleBurst: 'off' }])('rejects %j at deployment', context => {
    expect(() => throttlingOf(stackWith(context as never), 'chat')).toThrow(
      /^The setting throttle\w+ must be a whole number/,
    );
  });
});

describe('the address of webhooks', () => {
  const addresses = (from: Synthesised) =>
    from.functions.flatMap(({ description, properties }) => {
      const address = properties.Environment?.Variables.WEBHOOK_BASE_URL;
      return address === undefined ? [] : [[description, address] as const];
    });

  it('is the address of the webhook API, and only set for functions that need it', () => {
    const listed = addresses(plain).map(([description]) => description);

    expect(listed).toEqual(expect.arrayContaining(['admin-updateBot', 'admin-getBot', 'deliver']));
    expect(listed.filter(name => /^(chat|files|tables|webhook)-/.test(name))).toEqual([]);
  });

  it("is the operator's domain if one is configured", () => {
    const own = synthesised({ webhookBaseUrl: 'https://webhook.example.com/' });

    expect(new Set(addresses(own).map(([, address]) => address))).toEqual(new Set(['https://webhook.example.com']));
  });

  it('is rejected unless it is a URL', () => {
    expect(() => synthesised({ webhookBaseUrl: 'webhook.example.com' })).toThrow(
      'A base URL must look like https://webhook.example.com, not webhook.example.com.',
    );
  });
});
