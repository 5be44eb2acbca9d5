/** Tests that the checklist of the first deployment names what the stack contains. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countCustomMetrics } from '#infra/operator/cost/customMetrics.ts';
import { synthesised } from './template.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const checklist = read('docs/operations/first-deployment.md');
const { all, stack } = synthesised({ alarmEmail: 'you@example.com' });
const named = (type: string, property: string): string[] =>
  all.filter(([, { Type }]) => Type === type).map(([, { Properties }]) => Properties[property]);
const allOf = (pattern: RegExp) => [...new Set([...checklist.matchAll(pattern)].map(([, name]) => name!))];

it("lists the steps of an operator's first hour in order", () => {
  const titles = allOf(/^\*\*\d+\. ([^.*]+)\.\*\*/gm);

  expect(titles).toEqual([
    ...['Account and region', 'Services in the region', 'Model access', 'Quotas', 'Cost when idle'],
    ...['Deploy', 'Outputs', 'Alarm recipients', 'Smoke test', 'First administrator', 'Logs'],
    ...['Metrics, dashboard, alarms', 'Canary', 'Concurrency and cost', 'Backups', 'Optional features'],
  ]);
});

it('names existing functions, alarms and outputs of the stack', () => {
  const functions = allOf(/--function-name (Parley-[\w-]+)/g);
  const alarms = allOf(/--alarm-names (Parley-[\w-]+)/g);
  const outputs = [...allOf(/\boutput (\w+)/g), ...allOf(/OutputKey=='(\w+)'/g)].filter(name => /^[A-Z]/.test(name));

  expect(functions.filter(name => !named('AWS::Lambda::Function', 'FunctionName').includes(name))).toEqual([]);
  expect(alarms.filter(name => !named('AWS::CloudWatch::Alarm', 'AlarmName').includes(name))).toEqual([]);
  expect(outputs.filter(name => !stack.node.tryFindChild(name))).toEqual([]);
  expect([functions.length, alarms.length, new Set(outputs).size]).toEqual([2, 1, 4]);
});

it('states the number of functions with an encrypted environment', () => {
  const encrypted = named('AWS::Lambda::Function', 'KmsKeyArn').filter(Boolean).length;

  expect(checklist).toContain(`The environments of ${encrypted} functions`);
  expect(checklist).toContain(`Expected: ${encrypted}, and`);
});

it('states the number of steps of the smoke test', () => {
  const [, steps = ''] = /const STEPS = \{\n([\s\S]*?)\n\} as const/.exec(read('infra/operator/smoke.ts')) ?? [];

  expect(checklist).toContain(`\`${steps.split('\n').length} steps passed, 0 failed, 0 did not run.\``);
});

it('states the number of metrics that CloudWatch bills in the monitoring guide', () => {
  const [most, least] = [true, false].map(hasAlarms => countCustomMetrics({ hasAlarms }));

  expect(read('docs/operations/monitoring.md')).toContain(
    `CloudWatch bills up to ${most} metrics with alarms, and ${least} without.`,
  );
});
