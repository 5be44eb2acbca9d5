/**
 * A web ACL (AWS WAF) in front of the APIs, by the setting `firewall`; off by default, because it costs when nobody calls
 * (docs/operations.md#firewall).
 */
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { GATEWAY_RESPONSES, gatewayResponseBody } from '#infra/gateway/gatewayResponses.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';

const RATE_WINDOW_SECONDS = 60;
const RATE_BODY = 'tooManyRequests';

/**
 * AWS's groups of rules, with those rules that count instead of blocking. Bodies, queries and some paths carry what people wrote: they
 * chat about `<script>`, search for `../` and name a state `app.ini`. Bodies exceed 8 KB, queries with tags 2 KB. Programs that call have
 * any user agent or none. What stays blocked is in the paths, headers, cookies and methods that only an attack has.
 */
const GROUPS: readonly { name: string; counting: readonly string[] }[] = [
  { name: 'AWSManagedRulesAmazonIpReputationList', counting: [] },
  {
    name: 'AWSManagedRulesKnownBadInputsRuleSet',
    counting: [
      'JavaDeserializationRCE_BODY',
      'JavaDeserializationRCE_QUERYSTRING',
      'Log4JRCE_BODY',
      'Log4JRCE_QUERYSTRING',
      'ReactJSRCE_BODY',
    ],
  },
  {
    name: 'AWSManagedRulesCommonRuleSet',
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
    ],
  },
];

/** @returns the web ACL's ARN, undefined without a firewall */
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
        // Static, so without the id of the request.
        content: gatewayResponseBody(GATEWAY_RESPONSES.throttled, 'firewall'),
      },
    },
    rules: [rateRule(scope), ...GROUPS.map(managedRules)],
  });

/** Samples would keep tokens and keys, which are headers. */
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

const managedRules = ({ name, counting }: (typeof GROUPS)[number], index: number): CfnWebACL.RuleProperty => ({
  name,
  priority: index + 1,
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ruleActionOverrides: counting.map(rule => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  overrideAction: { none: {} },
  visibilityConfig: visibility(name),
});
