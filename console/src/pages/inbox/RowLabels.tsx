import { useLabelsOf } from '../../api/useLabels.ts';
import { joinNames } from '../../messages/bidi.ts';
import { labels as texts } from '../../messages/en/labels.ts';
import { locale } from '../../messages/language.ts';
import { translator } from '../../messages/translate.ts';
import { LabelChip } from '../../parts/LabelChip.tsx';
import classes from './Inbox.module.css';

const t = translator('labels', texts);

/** Labels that a row shows. It counts the others. */
const SHOWN = 2;

/** Labels of a conversation in the list. */
export function RowLabels({ ids }: { ids: readonly string[] | undefined }) {
  const labels = useLabelsOf(ids);
  if (labels.length === 0) return null;
  const others = labels.slice(SHOWN);
  return (
    <span className={classes.rowLabels}>
      {labels.slice(0, SHOWN).map(({ id, name, color }) => (
        <LabelChip key={id} color={color} title={name}>
          <bdi>{name}</bdi>
        </LabelChip>
      ))}
      {others.length > 0 && (
        <span
          className={classes.moreLabels}
          title={t('more', { count: others.length, names: joinNames(others.map(({ name }) => name)) })}
        >
          +{others.length.toLocaleString(locale)}
        </span>
      )}
    </span>
  );
}
