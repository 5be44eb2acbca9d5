// biome-ignore-all lint/suspicious/noArrayIndexKey: the parts of a message have no ids and do not move
/** Renders messages of every type as text. Markup is not interpreted. */
import { Anchor, Image } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  type Icon,
  IconChevronDown,
  IconExternalLink,
  IconFile,
  IconMapPin,
  IconMovie,
  IconPhoto,
  IconVolume,
} from '../icons/tabler.ts';
import { isolate } from '../messages/bidi.ts';
import { conversation as texts } from '../messages/en/conversation.ts';
import { translator } from '../messages/translate.ts';
import { isOurs, isSafe } from './media.ts';
import classes from './Payload.module.css';
import { Json } from './Small.tsx';

const t = translator('conversation', texts);

// biome-ignore lint/suspicious/noExplicitAny: bots and users send any payload
type AnyPayload = Record<string, any>;

const str = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
const listOf = (value: unknown): AnyPayload[] =>
  (Array.isArray(value) ? value : []).map(each => (typeof each === 'object' && each !== null ? each : {}));

export function SafeLink({ href, children }: { href: unknown; children: ReactNode }) {
  const address = str(href);
  if (!isSafe(address)) return <span>{children}</span>;
  return (
    <Anchor
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      underline="always"
      style={{ overflowWrap: 'anywhere' }}
    >
      {children}
    </Anchor>
  );
}

const hostOf = (address: string): string => URL.parse(address)?.host ?? '';
const fileNameOf = (address: string): string => {
  const name = URL.parse(address)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name) || address;
  } catch {
    return name || address;
  }
};

/** Links a file, a place or an external picture. */
function Attachment({ Icon, href, title, note }: { Icon: Icon; href: unknown; title: string; note?: string }) {
  const address = str(href);
  const contents = (
    <>
      <span className={classes.attachmentIcon}>
        <Icon size={18} stroke={1.5} aria-hidden />
      </span>
      <span className={classes.attachmentText}>
        <span className={classes.attachmentTitle} dir="auto">
          {title}
        </span>
        {note && <span className={classes.note}>{note}</span>}
      </span>
    </>
  );
  if (!isSafe(address)) return <span className={classes.attachment}>{contents}</span>;
  return (
    <a className={classes.attachment} href={address} target="_blank" rel="noopener noreferrer">
      {contents}
      <IconExternalLink size={14} className={classes.note} aria-hidden />
    </a>
  );
}

const MEDIA = {
  image: IconPhoto,
  audio: IconVolume,
  video: IconMovie,
} as const;

function Media({ kind, address, title }: { kind: keyof typeof MEDIA; address: unknown; title?: unknown }) {
  const url = str(address);
  const Icon = MEDIA[kind];
  const label = t(kind);
  if (!isOurs(url))
    return (
      <Attachment
        Icon={Icon}
        href={url}
        title={str(title) || fileNameOf(url)}
        note={t('mediaAt', { kind: label, host: hostOf(url) })}
      />
    );
  if (kind === 'image') return <Image src={url} alt={str(title)} className={classes.image} />;
  if (kind === 'audio')
    // biome-ignore lint/a11y/useMediaCaption: the sender gave none
    return <audio controls src={url} aria-label={str(title) || label} className={classes.audio} />;
  // biome-ignore lint/a11y/useMediaCaption: the sender gave none
  return <video controls src={url} aria-label={str(title) || label} className={classes.video} />;
}

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

const Words = ({ children }: { children: string }) => (
  <p className={classes.words} dir="auto">
    {children}
  </p>
);

export function Payload({ type, payload, onChoose }: PayloadProps) {
  switch (type) {
    case 'text':
      return <Words>{str(payload.text)}</Words>;
    case 'markdown':
      return <Words>{str(payload.markdown)}</Words>;
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
          <Words>{str(payload.text)}</Words>
          <Options options={payload.options} onChoose={onChoose} />
        </div>
      );
    case 'dropdown':
      return (
        <div className={classes.stack}>
          <Words>{str(payload.text)}</Words>
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

/** Returns a one-line summary for lists. */
export function summaryOf(type: string, payload: AnyPayload): string {
  const words = [payload.text, payload.markdown, payload.title].find(each => typeof each === 'string' && each !== '');
  if (type === 'bloc') {
    const [first] = listOf(payload.items);
    return first ? summaryOf(str(first.type), first.payload ?? first) : '';
  }
  const named = NAMED.find(name => name === type);
  if (!named) return words || type;
  return words ? `${t(named)}: ${isolate(words)}` : t(named);
}
