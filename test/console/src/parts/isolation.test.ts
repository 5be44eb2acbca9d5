// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources
/** Texts of others in the console stand alone in their elements, which the style sheet isolates. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mixedTextsIn } from '#test/support/mixedTexts.ts';

const SOURCES = join(import.meta.dirname, '../../../../console/src');

it('renders user text apart from all other text', () => {
  const files = globSync('**/*.tsx', { cwd: SOURCES });

  expect(files.length).toBeGreaterThan(90);
  expect(files.flatMap(file => mixedTextsIn(file, readFileSync(join(SOURCES, file), 'utf8')))).toEqual([]);
});

it.each([
  '<p>{name}: {text}</p>',
  '<p>By {name}</p>',
  '<p>{name} {t("serves")}</p>',
  '<p>{isOwn ? `${name}: ` : ""}{t("serves")}</p>',
  '<p>{`${name}, ${place}`}</p>',
  '<p>{names.join(", ")} <b>x</b> y</p>',
  '<p><>{name}</> {t("serves")}</p>',
  '<p>{name && `${name} · `}{text}</p>',
  '<span><time /> {name}</span>',
])('finds user text next to other text in %s', source => {
  expect(mixedTextsIn('a.tsx', source)).toHaveLength(1);
});

it.each([
  '<p>{name}</p>',
  '<p><bdi>{name}</bdi>: <bdi>{text}</bdi></p>',
  '<p>{t("serves", { name })} {t("since")}</p>',
  '<p>{name || id}</p>',
  '<p>{isOwn ? t("you") : name}</p>',
  '<p>{t("count")} {names.map(name => <b key={name}>{name}</b>)}</p>',
  '<p>{count.toLocaleString()} {t("rows")}</p>',
  '<Group><Icon />{actions}</Group>',
])('accepts the separate user text in %s', source => {
  expect(mixedTextsIn('a.tsx', source)).toEqual([]);
});
