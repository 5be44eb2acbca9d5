/** Runs the AwsSolutions pack of cdk-nag on the stack. */
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { ACKNOWLEDGED_FINDINGS } from '#infra/stack/acknowledgedFindings.ts';
import { synthesised } from './template.ts';

/** Covers every branch of the stack. */
const CONFIGURATIONS: Record<string, Record<string, string>> = {
  'no setting': {},
  'what costs or adds': {
    firewall: 'on',
    search: 'bedrock',
    model: 'eu.anthropic.claude-sonnet-4-20250514-v1:0',
    modelInputPrice: '3',
    modelOutputPrice: '15',
    accountConcurrency: '1000',
    alarmEmail: 'you@example.com',
    apiDomain: 'api.example.com',
    certificate: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d',
    tracing: 'on',
  },
  'what leaves services out': { content: 'bucket', search: 'keywords', allowPrivateEndpoints: 'true' },
};

interface Finding {
  rule: string;
  construct: string;
}

function findingsOf(context: Record<string, string>): Finding[] {
  const { stack } = synthesised(context);
  const { violations } = new AwsSolutionsChecks(stack).validateScope(stack);
  return violations.flatMap(({ ruleName, violatingResources = [] }) =>
    violatingResources.map(({ constructPath = '' }) => ({
      rule: ruleName,
      construct: constructPath.replace(/^Parley\//, ''),
    })),
  );
}

const isAcknowledged = ({ rule, construct }: Finding) =>
  ACKNOWLEDGED_FINDINGS.some(each => each.finding.test(rule) && each.construct.test(construct));

const all = Object.entries(CONFIGURATIONS).map(([name, context]) => [name, findingsOf(context)] as const);

describe('the AwsSolutions pack', () => {
  it.each(all)('finds only acknowledged issues with %s', (_, findings) => {
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.filter(each => !isAcknowledged(each))).toEqual([]);
  });

  it('still finds every acknowledged issue', () => {
    const findings = all.flatMap(([, each]) => each);
    const unused = ACKNOWLEDGED_FINDINGS.filter(
      ({ finding, construct }) => !findings.some(each => finding.test(each.rule) && construct.test(each.construct)),
    );

    expect(unused.map(({ finding }) => finding.source)).toEqual([]);
  });

  it('reports the missing web ACL of the gateways only if it is off', () => {
    const [, withFirewall] = all.find(([name]) => name === 'what costs or adds')!;

    expect(withFirewall.filter(({ rule }) => rule === 'AwsSolutions-APIG3')).toEqual([]);
  });
});
