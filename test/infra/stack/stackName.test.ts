/** Tests that no name is assigned twice, because two stages deploy into one region, and one stage into two regions. */
import { describe, expect, it } from 'vitest';
import { codePrefixOf, stackNameOf } from '#infra/stack/stackName.ts';
import { EVERY_SETTING, MAX_STAGE_NAME } from './everySetting.ts';
import { type Environment, physicalNames, unknownNames } from './physicalNames.ts';
import { type Synthesised, synthesised } from './template.ts';

const IRELAND = { region: 'eu-west-1', stackGuid: '3f2a9c40-aa00-11f0-9e44-0a1b2c3d4e5f' };
const VIRGINIA = { region: 'us-east-1', stackGuid: '51b7d310-aa00-11f0-8c11-0e5f4d3c2b1a' };

const stageless = synthesised();
const everything = synthesised(EVERY_SETTING);
const staging = synthesised({ ...EVERY_SETTING, stage: MAX_STAGE_NAME });

type Names = ReturnType<typeof physicalNames>;
const texts = (names: Names) => names.map(({ type, name }) => `${type} ${name}`);
const common = (some: Names, others: Names) => texts(some).filter(each => texts(others).includes(each));
const globalNames = (stack: Synthesised, environment: Environment) =>
  physicalNames(stack, environment).filter(({ isGlobal }) => isGlobal);

describe.each([
  ['no setting', stageless],
  ['every setting', everything],
  ['every setting and the longest stage', staging],
])('a stack with %s', (_, stack) => {
  it('has no two resources with the same name', () => {
    const names = texts(physicalNames(stack, IRELAND));

    expect(names.length).toBeGreaterThan(200);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it('has distinct global names in two regions', () => {
    expect(globalNames(stack, IRELAND).length).toBeGreaterThanOrEqual(4);
    expect(common(globalNames(stack, IRELAND), globalNames(stack, VIRGINIA))).toEqual([]);
  });

  it('has only names that these tests cover', () => {
    expect(unknownNames(stack)).toEqual([]);
  });
});

it('gives two stages in a region distinct names', () => {
  expect(common(physicalNames(everything, IRELAND), physicalNames(staging, IRELAND))).toEqual([]);
});

describe('stackNameOf', () => {
  it('names the stack after the stage', () => {
    expect(stackNameOf({ stage: undefined })).toBe('Parley');
    expect(stackNameOf({ stage: 'staging' })).toBe('Parley-staging');
  });

  it.each(['chat', 'api', 'admin', 'files', 'tables', 'webhook', 'cognitive', 'code', 'socket'])(
    'rejects the stage %s, whose functions the roles of the installation without a stage could call',
    stage => {
      expect(() => stackNameOf({ stage })).toThrow(`The setting stage must not be ${stage}`);
    },
  );
});

describe('codePrefixOf', () => {
  it('distinguishes stacks whose names share fifteen characters', () => {
    const prefixes = ['Parley-abcdefgh', 'Parley-abcdefgh1', 'Parley-abcdefgh2'].map(codePrefixOf);

    expect(new Set(prefixes).size).toBe(3);
    expect(prefixes[0]).toBe('Parley-abcdefgh-code-');
  });

  it.each(['Parley', 'Parley-abcdefgh', 'Parley-of-another-team'])('leaves room for a bot id after %s', name => {
    const longest = `${codePrefixOf(name)}${'b'.repeat(32)}-${'r'.repeat(10)}`;

    expect(longest.length).toBeLessThanOrEqual(64);
  });
});
