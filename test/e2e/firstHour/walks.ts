/** The pages that `npm run test:first-hour` follows, and the versions of `bp` that they are followed with. */
import { type Block, blocksOf } from '#test/support/documents.ts';

/** Major version of `bp` in the headings of blocks that differ. */
export type Version = 'bp 0.8' | 'bp 7';
const VERSIONS: readonly string[] = ['bp 0.8', 'bp 7'] satisfies Version[];

interface Part {
  page: string;
  /** Headings of the second level. All by default. */
  sections?: readonly string[];
}

/** The section that needs an AWS account. `npm run test:deploy -- cli` runs it against an emulator. */
const AWS = 'On AWS';

const PAGES: readonly Part[] = [{ page: 'docs/write-a-bot.md' }, { page: 'docs/write-an-integration.md' }];

const WALKS: Record<Version, readonly (readonly Part[])[]> = {
  'bp 0.8': [
    [{ page: 'README.md', sections: ['Your first bot in five minutes'] }],
    [{ page: 'docs/start.md' }, ...PAGES, { page: 'docs/bot-operations.md' }],
  ],
  'bp 7': [
    [
      { page: 'docs/start.md', sections: ['Start the platform'] },
      { page: 'docs/versions.md' },
      ...PAGES,
      { page: 'docs/bot-operations.md' },
    ],
  ],
};

/** Returns walks, each with the blocks of its pages. */
export const walksOf = (version: Version): { page: string; blocks: Block[] }[][] =>
  WALKS[version].map(parts =>
    parts.map(({ page, sections }) => ({
      page,
      blocks: blocksOf(page).filter(
        ({ section, subsection }) =>
          section !== AWS &&
          (sections === undefined || sections.includes(section)) &&
          (!VERSIONS.includes(subsection) || subsection === version),
      ),
    })),
  );
