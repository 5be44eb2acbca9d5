/** Tests how `npm run lint:stack` interprets cfn-lint's output. */
import { describe, expect, it } from 'vitest';
import { isAcknowledged, parseFindings } from '#infra/lintTemplates.ts';

const match = (Id: string, Path: (string | number)[] | null) => ({
  Filename: 'cdk.out/Parley.template.json',
  Message: 'Something is wrong.',
  Rule: { Id },
  Location: { Path },
});

describe('parseFindings', () => {
  it('parses the rule, the template and the location of each finding', () => {
    const output = JSON.stringify([match('E3002', ['Resources', 'Queue', 'Properties', 0])]);

    expect(parseFindings(output)).toEqual([
      {
        template: 'cdk.out/Parley.template.json',
        rule: 'E3002',
        path: 'Resources/Queue/Properties/0',
        message: 'Something is wrong.',
      },
    ]);
  });

  it('parses an empty report, and a finding about a whole template', () => {
    expect(parseFindings('')).toEqual([]);
    expect(parseFindings('[]')).toEqual([]);
    expect(parseFindings(JSON.stringify([match('E0000', null)]))).toMatchObject([{ path: '' }]);
  });
});

describe('isAcknowledged', () => {
  const [dependency, elsewhere, unknown] = parseFindings(
    JSON.stringify([
      match('W3005', ['Resources', 'deliverFunction', 'DependsOn', 0]),
      match('W3005', ['Outputs', 'ApiBaseUrl']),
      match('E3002', ['Resources', 'deliverFunction', 'DependsOn', 0]),
    ]),
  );

  it('accepts a rule only at its location', () => {
    expect(isAcknowledged(dependency!)).toBe(true);
    expect(isAcknowledged(elsewhere!)).toBe(false);
    expect(isAcknowledged(unknown!)).toBe(false);
  });
});
