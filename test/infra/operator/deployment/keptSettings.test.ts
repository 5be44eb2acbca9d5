import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keptSettings } from '#infra/operator/deployment/keptSettings.ts';
import { useAwsEndpoint } from '#test/support/awsEndpoint.ts';
import { serve } from '#test/support/integration.ts';

/** Metadata of the deployed templates, by the name of the stack. */
let templates: Record<string, object>;
let isDenied: boolean;
let directory: string;
const closing: (() => unknown)[] = [];

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

beforeEach(async () => {
  templates = {};
  isDenied = false;
  const aws = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked = new URLSearchParams(body);
    const metadata = templates[asked.get('StackName')!];
    const fail = (status: number, code: string, message: string) => {
      response.writeHead(status);
      response.end(`<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`);
    };
    expect(asked.get('Action')).toBe('GetTemplateSummary');
    if (isDenied) return fail(403, 'AccessDenied', 'not authorized');
    if (!metadata) return fail(400, 'ValidationError', 'Stack does not exist');
    response.end(
      `<GetTemplateSummaryResponse><GetTemplateSummaryResult><Metadata>${escaped(JSON.stringify(metadata))}</Metadata></GetTemplateSummaryResult></GetTemplateSummaryResponse>`,
    );
  });
  directory = await mkdtemp(join(tmpdir(), 'parley-kept-'));
  closing.push(aws.stop, () => rm(directory, { recursive: true }));
  useAwsEndpoint(aws.url);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) await close();
});

const deployed = (settings: object, stack = 'Parley') => {
  templates[stack] = { 'parley:settings': settings };
};
const kept = (...given: string[]) => keptSettings(given, directory);

describe('the settings of a deployment', () => {
  it('include those of the deployed stack that it omits, and it says so', async () => {
    deployed({ alarmEmail: 'you@example.com', tags: 'Team=Chat,Stage=a&b' });

    expect(await kept()).toEqual({
      args: ['-c', 'alarmEmail=you@example.com', '-c', 'tags=Team=Chat,Stage=a&b'],
      note: expect.stringContaining('alarmEmail=you@example.com tags=Team=Chat,Stage=a&b, as deployed'),
    });
  });

  it.each([
    ['an argument', ['-c', 'alarmEmail=new@example.com'], undefined],
    ['an empty argument, which returns to the default', ['-c', 'alarmEmail='], undefined],
    ['cdk.json', [], ['cdk.json', { context: { alarmEmail: 'new@example.com' } }]],
    ['cdk.context.json', [], ['cdk.context.json', { alarmEmail: 'new@example.com' }]],
  ] as const)('are not kept if they are in %s', async (_, given, file) => {
    deployed({ alarmEmail: 'you@example.com' });
    if (file) await writeFile(join(directory, file[0]), JSON.stringify(file[1]));

    expect((await kept(...given)).args).toEqual([]);
  });

  it('are those of the stage', async () => {
    deployed({ alarmEmail: 'you@example.com' });
    deployed({ alarmEmail: 'staging@example.com', dashboard: 'off' }, 'Parley-staging');
    const stages = { staging: { dashboard: 'on' } };
    await writeFile(join(directory, 'cdk.context.json'), JSON.stringify({ stages }));

    expect((await kept('-c', 'stage=staging')).args).toEqual(['-c', 'alarmEmail=staging@example.com']);
  });

  it('do not include a setting that the version does not have', async () => {
    deployed({ listeners: '5' });

    expect(await kept()).toEqual({ args: [], note: 'Settings: this version does not have listeners.' });
  });

  it.each([
    ['before the first deployment', () => {}],
    ['of a stack of an earlier version', () => (templates.Parley = {})],
  ])('are those given: %s', async (_, prepare) => {
    prepare();

    expect(await kept()).toEqual({ args: [], note: '' });
  });

  it('are those given, with a warning, if the stack cannot be read', async () => {
    deployed({ alarmEmail: 'you@example.com' });
    isDenied = true;

    const { args, note } = await kept();

    expect(args).toEqual([]);
    expect(note).toMatch(/could not be read: not authorized\n.*return to their defaults/);
  });
});
