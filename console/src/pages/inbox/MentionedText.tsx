import { Mark } from '@mantine/core';
import { type Named, piecesOf } from './mentionTexts.ts';

/** The text of a note, with highlighted mentions. */
export const MentionedText = ({ text, members }: { text: string; members: readonly Named[] }) => (
  <div dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    {piecesOf(text, members).map((piece, i) =>
      piece.member ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text do not move
        <Mark key={i} color="brand" data-mention={piece.member.id}>
          <bdi>{piece.text}</bdi>
        </Mark>
      ) : (
        piece.text
      ),
    )}
  </div>
);
