import type { Handoff } from '../../api/contract.ts';
import { conversation as texts } from '../../messages/en/conversation.ts';
import { translator } from '../../messages/translate.ts';
import { Fact, Facts, When } from '../../parts/Small.tsx';

const t = translator('conversation', texts);

/** The end user's rating of a handoff. */
export const Rating = ({ rating: { value, comment, ratedAt } }: { rating: NonNullable<Handoff['rating']> }) => (
  <Facts>
    <Fact name={t('rating')}>{t('ratingOf', { value })}</Fact>
    {comment && (
      <Fact name={t('comment')}>
        <bdi>{comment}</bdi>
      </Fact>
    )}
    <Fact name={t('ratedAt')}>
      <When at={ratedAt} />
    </Fact>
  </Facts>
);
