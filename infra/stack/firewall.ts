/** AWS WAF for the APIs (setting `firewall`), off by default due to its price: docs/operations/network.md#firewall. */
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { type GatewayResponse, gatewayResponseBody } from '#infra/gateway/gatewayResponses.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { EDGE_HEADER } from '#shared/api/callerAddress.ts';
import { hasConsole } from './consoleSite.ts';
import { edgeKeyOf } from './edgeKey.ts';

const RATE_WINDOW_SECONDS = 60;
const BLOCKED_BODY = 'blocked';
const BLOCKED: GatewayResponse = {
  type: 'WAF_FILTERED',
  status: 403,
  error: 'Forbidden',
  message: 'The firewall rejected the request.',
};

interface RuleGroup {
  name: string;
  /** Rules that AWS sets to block. */
  blocking: readonly string[];
  counting: readonly string[];
  /** True if rules that AWS adds later are in count mode too. */
  countsNewRules?: boolean;
}

/**
 * AWS managed rule groups. They block addresses with a bad reputation, and headers and methods that only attacks use.
 * All other rules are in count mode, because they match legitimate requests:
 *
 * - Bodies, queries and paths contain user input: messages about `<script>`, searches for `../`, file keys such as
 *   `web.config` or `http://10.0.0.1/a`.
 * - Bodies exceed the 8 KB of the rules and the 16 KB that AWS WAF inspects, queries with tags 2 KB, encoded file keys
 *   1 KB.
 * - Cookies belong to other pages of the operator's domain.
 * - Clients have any user agent and run in data centers. The group `AnonymousIpList`, which blocks hosting providers,
 *   is therefore not used.
 *
 * The core rule set contains no other rules, so the whole group is in count mode.
 */
const GROUPS: readonly RuleGroup[] = [
  {
    name: 'AWSManagedRulesAmazonIpReputationList',
    blocking: ['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList'],
    counting: [],
  },
  {
    name: 'AWSManagedRulesKnownBadInputsRuleSet',
    blocking: ['JavaDeserializationRCE_HEADER', 'Log4JRCE_HEADER', 'Host_localhost_HEADER', 'PROPFIND_METHOD'],
    counting: [
      'ExploitablePaths_URIPATH',
      'JavaDeserializationRCE_BODY',
      'JavaDeserializationRCE_QUERYSTRING',
      'JavaDeserializationRCE_URIPATH',
      'Log4JRCE_BODY',
      'Log4JRCE_QUERYSTRING',
      'Log4JRCE_URIPATH',
      'ReactJSRCE_BODY',
    ],
  },
  {
    name: 'AWSManagedRulesCommonRuleSet',
    countsNewRules: true,
    blocking: [],
    counting: [
      'NoUserAgent_HEADER',
      'UserAgent_BadBots_HEADER',
      'SizeRestrictions_BODY',
      'EC2MetaDataSSRF_BODY',
      'GenericLFI_BODY',
      'GenericRFI_BODY',
      'CrossSiteScripting_BODY',
      'SizeRestrictions_QUERYSTRING',
      'EC2MetaDataSSRF_QUERYARGUMENTS',
      'GenericLFI_QUERYARGUMENTS',
      'GenericRFI_QUERYARGUMENTS',
      'CrossSiteScripting_QUERYARGUMENTS',
      'RestrictedExtensions_QUERYARGUMENTS',
      'RestrictedExtensions_URIPATH',
      'SizeRestrictions_URIPATH',
      'EC2MetaDataSSRF_URIPATH',
      'GenericLFI_URIPATH',
      'GenericRFI_URIPATH',
      'CrossSiteScripting_URIPATH',
      'SizeRestrictions_Cookie_HEADER',
      'EC2MetaDataSSRF_COOKIE',
      'CrossSiteScripting_COOKIE',
    ],
  },
];

export const addFirewall = (scope: Construct): string | undefined =>
  settingsOf(scope).firewall === 'on' ? createAcl(scope).attrArn : undefined;

const createAcl = (scope: Construct) =>
  new CfnWebACL(scope, 'Firewall', {
    scope: 'REGIONAL',
    description: 'Parley: all APIs',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('Parley'),
    customResponseBodies: {
      [BLOCKED_BODY]: {
        contentType: 'APPLICATION_JSON',
        // The body is static, so its id is not a request id.
        content: gatewayResponseBody(BLOCKED, 'firewall'),
      },
    },
    rules: [...rateRules(scope), ...GROUPS.map(managedRule)].map((rule, priority) => ({
      ...rule,
      priority,
    })),
  });

/** Disables samples, which would store tokens and keys in headers. */
const visibility = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

const isPreflight: CfnWebACL.StatementProperty = {
  byteMatchStatement: {
    fieldToMatch: { method: {} },
    positionalConstraint: 'EXACTLY',
    searchString: 'OPTIONS',
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
};

const isFromEdge = (edgeKey: string): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    fieldToMatch: { singleHeader: { Name: EDGE_HEADER } },
    positionalConstraint: 'EXACTLY',
    searchString: edgeKey,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

const not = (statement: CfnWebACL.StatementProperty): CfnWebACL.StatementProperty => ({ notStatement: { statement } });
const both = (...statements: CfnWebACL.StatementProperty[]): CfnWebACL.StatementProperty => ({
  andStatement: { statements },
});

type Rule = Omit<CfnWebACL.RuleProperty, 'priority'>;

/**
 * Rate limits per address. The gateway returns the 429 (`WAF_FILTERED`), because AWS WAF cannot echo the caller's
 * origin, which browsers require. Preflights have a separate limit: a browser reads a request's 429 only after a
 * successful preflight. Requests through the distribution are counted by the viewer's address, which its function
 * writes into a header (`chatRouting.js`).
 */
function rateRules(scope: Construct): Rule[] {
  const settings = settingsOf(scope);
  const kinds = [
    { name: 'rate', statement: not(isPreflight) },
    { name: 'preflights', statement: isPreflight },
  ];
  const ruleFor = (name: string, scopeDownStatement: CfnWebACL.StatementProperty, key: object): Rule => ({
    name,
    statement: {
      rateBasedStatement: {
        ...(key as { aggregateKeyType: string }),
        evaluationWindowSec: RATE_WINDOW_SECONDS,
        limit: settings.firewallRate,
        scopeDownStatement,
      },
    },
    action: { block: {} },
    visibilityConfig: visibility(name),
  });
  if (!hasConsole(settings)) return kinds.map(({ name, statement }) => ruleFor(name, statement, BY_SOURCE));
  const edge = isFromEdge(edgeKeyOf(scope));
  return kinds.flatMap(({ name, statement }) => [
    ruleFor(name, both(statement, not(edge)), BY_SOURCE),
    ruleFor(`edge-${name}`, both(statement, edge), BY_VIEWER),
  ]);
}

const BY_SOURCE = { aggregateKeyType: 'IP' };
const BY_VIEWER = {
  aggregateKeyType: 'FORWARDED_IP',
  forwardedIpConfig: { headerName: 'x-parley-viewer', fallbackBehavior: 'NO_MATCH' },
};

/** Returns 403 instead of the 429 of the rate limits. Rules that AWS adds later lack this override and return 429. */
const BLOCK: CfnWebACL.RuleActionProperty = {
  block: {
    customResponse: {
      responseCode: BLOCKED.status,
      customResponseBodyKey: BLOCKED_BODY,
      responseHeaders: [{ name: 'Access-Control-Allow-Origin', value: '*' }],
    },
  },
};

const managedRule = ({ name, blocking, counting, countsNewRules }: RuleGroup): Rule => ({
  name,
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ruleActionOverrides: [
        ...blocking.map(rule => ({ name: rule, actionToUse: BLOCK })),
        ...counting.map(rule => ({ name: rule, actionToUse: { count: {} } })),
      ],
    },
  },
  overrideAction: countsNewRules ? { count: {} } : { none: {} },
  visibilityConfig: visibility(name),
});
