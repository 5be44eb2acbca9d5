/**
 * Reads the settings from the CDK's context. Settings of a stage in the context `stages` override the others. An empty
 * value means the default.
 */
import type { Construct, Node } from 'constructs';
import type { Setting } from './settingKinds.ts';
import { SETTINGS, type SettingName, type Settings } from './settings.ts';

const known = new WeakMap<object, Settings>();

export function settingsOf(scope: Construct): Settings {
  const { root } = scope.node;
  const settings = known.get(root) ?? readSettings(root.node);
  known.set(root, settings);
  return settings;
}

/** Settings that the stack does not carry over to its next deployment: its name, and what `npm run deploy` computes. */
const NOT_KEPT: readonly SettingName[] = ['stage', 'accountConcurrency'];

/** Returns the settings that the operator gave, in the form of the context. */
export function givenSettings(scope: Construct): Record<string, string> {
  const values = valuesOf(scope.node.root.node);
  const names = (Object.keys(SETTINGS) as SettingName[]).filter(
    name => !NOT_KEPT.includes(name) && isGiven(values[name]),
  );
  return Object.fromEntries(names.map(name => [name, String(values[name])]));
}

const isGiven = (value: unknown) => value !== undefined && value !== '';

function valuesOf(node: Node): Record<string, unknown> {
  const { stages, ...context }: Record<string, unknown> = node.getAllContext();
  return { ...context, ...stageOf(context.stage, stages) };
}

function readSettings(node: Node): Settings {
  const values = valuesOf(node);
  for (const name in values) refuseUnknown(name);
  const names = Object.keys(SETTINGS) as SettingName[];
  const settings = Object.fromEntries(
    names.map(name => [name, settingFrom(name, values[name])]),
  ) as unknown as Settings;
  for (const [name, needed] of NEEDED) {
    if (settings[name] !== undefined && settings[needed] === undefined)
      throw new Error(`The setting ${name} requires ${needed}. Set both.`);
  }
  requireSearch(settings);
  return settings;
}

function requireSearch({ search, embeddings, embeddingsPrice }: Settings): void {
  if (embeddings !== undefined && search !== 'bedrock' && search !== 'transformers')
    throw new Error('The setting embeddings requires search=bedrock or search=transformers. Set both, or remove it.');
  if (embeddingsPrice !== undefined && search !== 'bedrock')
    throw new Error('The setting embeddingsPrice requires search=bedrock. Set both, or remove embeddingsPrice.');
  if (embeddings === undefined && search === 'transformers')
    throw new Error('The setting search=transformers requires embeddings, the id or folder of a model.');
}

/** Pairs of a setting and one that it requires. */
const NEEDED: readonly (readonly [SettingName, SettingName])[] = [
  ['apiDomain', 'certificate'],
  ['chatDomain', 'certificate'],
  ['webhookDomain', 'certificate'],
  ['contentDomain', 'contentCertificate'],
  // Calls without prices would not count toward the spending limits of workspaces.
  ['model', 'modelInputPrice'],
  ['model', 'modelOutputPrice'],
];

function stageOf(stage: unknown, stages: unknown = {}): object {
  if (typeof stages !== 'object' || stages === null) throw new Error('The context stages must be an object.');
  return stage === undefined ? {} : ((stages as Record<string, object>)[String(stage)] ?? {});
}

/** Other context: directories of bundles and of the built console, for tests. */
const OTHERS = new Set(['bundles', 'consoleFiles']);
/** Excludes the CDK's own names, which contain a colon, a slash or a hyphen. */
const IS_SETTING = /^[A-Za-z]+$/;

/** Rejects unknown settings, because a misspelled one would have no effect. */
function refuseUnknown(name: string): void {
  if (!IS_SETTING.test(name) || OTHERS.has(name) || Object.hasOwn(SETTINGS, name)) return;
  throw new Error(`The setting ${name} does not exist. See docs/reference/settings.md.`);
}

function settingFrom(name: SettingName, given: unknown): unknown {
  const { fallback, values, parse }: Setting<unknown> = SETTINGS[name];
  if (!isGiven(given)) return fallback;
  const value = tryParse(name, parse, String(given));
  if (value === undefined) throw new Error(`The setting ${name} must be ${values}, not ${given}.`);
  return value;
}

function tryParse(name: string, parse: Setting<unknown>['parse'], text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`The setting ${name} is invalid: ${(error as Error).message}`);
  }
}
