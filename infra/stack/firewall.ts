/** AWS WAF for the APIs (setting `firewall`), off by default because of its price: docs/operations.md#firewall. */
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { GATEWAY_RESPONSES, gatewayResponseBody } from '#infra/gateway/gatewayResponses.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';

const RATE_WINDOW_SECONDS = 60;
const RATE_BODY = 'tooManyRequests';

interface RuleGroup {
  name: string;
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
  { name: 'AWSManagedRulesAmazonIpReputationList', counting: [] },
  {
    name: 'AWSManagedRulesKnownBadInputsRuleSet',
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
      [RATE_BODY]: {
        contentType: 'APPLICATION_JSON',
        // The body is static, so its id is not a request id.
        content: gatewayResponseBody(GATEWAY_RESPONSES.throttled, 'firewall'),
      },
    },
    rules: [rateRule(scope), ...GROUPS.map(managedRules)],
  });

/** Disables samples, which would store tokens and keys in headers. */
const visibility = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

const rateRule = (scope: Construct): CfnWebACL.RuleProperty => ({
  name: 'rate',
  priority: 0,
  statement: {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      evaluationWindowSec: RATE_WINDOW_SECONDS,
      limit: settingsOf(scope).firewallRate,
    },
  },
  action: {
    block: {
      customResponse: {
        responseCode: GATEWAY_RESPONSES.throttled.status,
        customResponseBodyKey: RATE_BODY,
        responseHeaders: [
          { name: 'Retry-After', value: String(RATE_WINDOW_SECONDS) },
          { name: 'Access-Control-Allow-Origin', value: '*' },
        ],
      },
    },
  },
  visibilityConfig: visibility('rate'),
});

const managedRules = ({ name, counting, countsNewRules }: RuleGroup, index: number): CfnWebACL.RuleProperty => ({
  name,
  priority: index + 1,
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ruleActionOverrides: counting.map(rule => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  overrideAction: countsNewRules ? { count: {} } : { none: {} },
  visibilityConfig: visibility(name),
});
