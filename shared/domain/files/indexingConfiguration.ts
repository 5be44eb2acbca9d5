import type { IndexingSettings, Passage } from '#shared/core/passage.ts';
import type { File } from '#shared/storage/dynamodb/files/file.ts';

interface Configuration {
  parsing?: { minimumParagraphLength?: number };
  chunking?: { maximumChunkLength?: number; embeddedContextLevels?: number; embedBreadcrumb?: boolean };
}
const parseConfiguration = ({ configuration }: File): Configuration => JSON.parse(configuration ?? '{}');

/** Chosen by recall and cost on three public corpora: docs/performance.md#passages. */
export const settingsOf = (file: File): IndexingSettings => {
  const { parsing, chunking } = parseConfiguration(file);
  return {
    minimumParagraphLength: parsing?.minimumParagraphLength ?? 500,
    maximumChunkLength: chunking?.maximumChunkLength ?? 1_000,
  };
};

/** Returns the texts to embed. Titles and neighbours convey a passage's subject. */
export function textsToEmbed(file: File, passages: readonly Passage[]): string[] {
  const { embedBreadcrumb = true, embeddedContextLevels = 0 } = parseConfiguration(file).chunking ?? {};
  return passages.map(({ breadcrumb }, i) => {
    const neighbours = passages.slice(Math.max(0, i - embeddedContextLevels), i + embeddedContextLevels + 1);
    const titles = embedBreadcrumb && breadcrumb.length > 0 ? [breadcrumb.join(' > ')] : [];
    return [...titles, ...neighbours.map(({ content }) => content)].join('\n');
  });
}
