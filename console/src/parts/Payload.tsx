// biome-ignore-all lint/suspicious/noArrayIndexKey: the parts of a message have no ids and do not move
/** Renders messages of every type. HTML in them is shown as text. */
import { Image } from '@mantine/core';
import { markdownText } from '#widget/markdown.ts';
import { mendMarkdown } from '#widget/parts/mendMarkdown.ts';
import { startOf } from '#widget/parts/payloadValues.ts';
import { IconChevronDown, IconFile, IconMapPin } from '../icons/tabler.ts';
import { isolate } from '../messages/bidi.ts';
import { conversation as texts } from '../messages/en/conversation.ts';
import { translator } from '../messages/translate.ts';
import { Markdown } from './Markdown.tsx';
import { Attachment, fileNameOf, hostOf, Media, SafeLink } from './Media.tsx';
import { isOurs } from './media.ts';
import classes from './Payload.module.css';
import { type AnyPayload, listOf, str } from './payloadValues.ts';
import { Json } from './Small.tsx';

const t = translator('conversation', texts);

type OnChoose = ((value: string) => void) | undefined;

const Options = ({ options, onChoose }: { options: unknown; onChoose: OnChoose }) => (
  <div className={classes.options}>
    {listOf(options).map((option, i) => {
      const label = str(option.label);
      if (!onChoose)
        return (
          <span key={i} className={classes.option}>
            {label}
          </span>
        );
      return (
        <button key={i} type="button" className={classes.option} onClick={() => onChoose(str(option.value) || label)}>
          {label}
        </button>
      );
    })}
  </div>
);

/** Shows all options, because a closed list would hide them. */
const Dropdown = ({ options, onChoose }: { options: unknown; onChoose: OnChoose }) => (
  <div className={classes.dropdown}>
    <div className={classes.dropdownHead}>
      <span>{t('options', { count: listOf(options).length })}</span>
      <IconChevronDown size={14} aria-hidden />
    </div>
    {listOf(options).map((option, i) => {
      const label = str(option.label);
      if (!onChoose)
        return (
          <div key={i} className={classes.dropdownItem}>
            {label}
          </div>
        );
      return (
        <button
          key={i}
          type="button"
          className={classes.dropdownItem}
          onClick={() => onChoose(str(option.value) || label)}
        >
          {label}
        </button>
      );
    })}
  </div>
);

interface PayloadProps {
  type: string;
  payload: AnyPayload;
  /** Sends the user's choice. */
  onChoose?: OnChoose;
}

export function Payload({ type, payload, onChoose }: PayloadProps) {
  switch (type) {
    case 'text':
      return <Markdown text={str(payload.text)} />;
    case 'markdown':
      return <Markdown text={str(payload.markdown)} />;
    case 'image':
      return <Media kind="image" address={payload.imageUrl} title={payload.title} />;
    case 'audio':
      return <Media kind="audio" address={payload.audioUrl} title={payload.title} />;
    case 'video':
      return <Media kind="video" address={payload.videoUrl} title={payload.title} />;
    case 'file': {
      const url = str(payload.fileUrl);
      return <Attachment Icon={IconFile} href={url} title={str(payload.title) || fileNameOf(url)} note={hostOf(url)} />;
    }
    case 'location':
      return <Place payload={payload} />;
    case 'choice':
      return (
        <div className={classes.stack}>
          <Markdown text={str(payload.text)} />
          <Options options={payload.options} onChoose={onChoose} />
        </div>
      );
    case 'dropdown':
      return (
        <div className={classes.stack}>
          <Markdown text={str(payload.text)} />
          <Dropdown options={payload.options} onChoose={onChoose} />
        </div>
      );
    case 'card':
      return <Card card={payload} onChoose={onChoose} />;
    case 'carousel':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={classes.carousel} tabIndex={0} aria-label={t('carousel')}>
          {listOf(payload.items).map((card, i) => (
            <Card key={i} card={card} onChoose={onChoose} />
          ))}
        </section>
      );
    case 'bloc':
      return (
        <div className={classes.stack}>
          {listOf(payload.items).map((item, i) => (
            <Payload key={i} type={str(item.type)} payload={item.payload ?? item} onChoose={onChoose} />
          ))}
        </div>
      );
    default:
      return <Json value={payload} label={t('ofType', { type })} />;
  }
}

function Place({ payload }: { payload: AnyPayload }) {
  const position = `${str(payload.latitude)}, ${str(payload.longitude)}`;
  const [title, ...notes] = [payload.title, payload.address, position].map(str).filter(Boolean);
  return <Attachment Icon={IconMapPin} href={undefined} title={title ?? ''} note={notes.map(isolate).join(' · ')} />;
}

function Card({ card, onChoose }: { card: AnyPayload; onChoose: OnChoose }) {
  const actions = listOf(card.actions);
  const image = str(card.imageUrl);
  return (
    <article className={classes.card}>
      {image !== '' && isOurs(image) && <Image src={image} alt="" className={classes.cardImage} />}
      <div className={classes.cardBody}>
        {image !== '' && !isOurs(image) && (
          <SafeLink href={image}>
            <span className={classes.note}>{t('mediaAt', { kind: t('image'), host: hostOf(image) })}</span>
          </SafeLink>
        )}
        <p className={classes.cardTitle} dir="auto">
          {str(card.title)}
        </p>
        {card.subtitle !== undefined && (
          <p className={classes.cardSubtitle} dir="auto">
            {str(card.subtitle)}
          </p>
        )}
      </div>
      {actions.length > 0 && (
        <div className={classes.cardActions}>
          {actions.map(({ action, label, value }, i) =>
            action === 'url' ? (
              <SafeLink key={i} href={value}>
                {str(label)}
              </SafeLink>
            ) : (
              <Options key={i} options={[{ label, value }]} onChoose={onChoose} />
            ),
          )}
        </div>
      )}
    </article>
  );
}

/** Types with their own surface instead of a bubble. */
const WITHOUT_BUBBLE = new Set(['image', 'audio', 'video', 'file', 'location', 'card', 'carousel']);
export const needsBubble = (type: string): boolean => !WITHOUT_BUBBLE.has(type);

const NAMED = ['image', 'audio', 'video', 'file', 'location', 'carousel'] as const;

/** Beginning of a text that a summary is made of. The list shows one line. */
const SUMMARY_LENGTH = 500;

/** A text that was cut may end within its markup. */
const plain = (text: string): string => markdownText(mendMarkdown(startOf(text, SUMMARY_LENGTH)));

/** Returns a one-line summary for lists, without markup. */
export function summaryOf(type: string, payload: AnyPayload): string {
  const given = [payload.text, payload.markdown, payload.title].find(each => typeof each === 'string' && each !== '');
  const words = given === undefined ? undefined : plain(given) || given;
  if (type === 'bloc') {
    const [first] = listOf(payload.items);
    return first ? summaryOf(str(first.type), first.payload ?? first) : '';
  }
  const named = NAMED.find(name => name === type);
  if (!named) return words || type;
  return words ? `${t(named)}: ${isolate(words)}` : t(named);
}

/** Returns the summary of a message that a preview contains. A bloc is shown by its first part. */
export const previewOf = ({ type, text }: { type: string; text?: string | undefined }): string =>
  summaryOf(type === 'bloc' && text ? 'text' : type, { text });
