/** Links and media of messages. Media of other servers is linked, because loading it would disclose the reader. */
import { Anchor, Image } from '@mantine/core';
import type { ReactNode } from 'react';
import { safeAddress } from '#widget/addresses.ts';
import { type Icon, IconExternalLink, IconMovie, IconPhoto, IconVolume } from '../icons/tabler.ts';
import { conversation as texts } from '../messages/en/conversation.ts';
import { translator } from '../messages/translate.ts';
import { isOurs, isSafe } from './media.ts';
import classes from './Payload.module.css';
import { str } from './payloadValues.ts';

const t = translator('conversation', texts);

/** Links http, https, mailto and tel, and shows only the text of other URLs. */
export function SafeLink({ href, children }: { href: unknown; children?: ReactNode }) {
  const address = safeAddress(href);
  if (address === undefined) return <span>{children}</span>;
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

export const hostOf = (address: string): string => URL.parse(address)?.host ?? '';
export const fileNameOf = (address: string): string => {
  const name = URL.parse(address)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name) || address;
  } catch {
    return name || address;
  }
};

/** Links a file, a place or an external picture. */
export function Attachment({ Icon, href, title, note }: { Icon: Icon; href: unknown; title: string; note?: string }) {
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

export function Media({ kind, address, title }: { kind: keyof typeof MEDIA; address: unknown; title?: unknown }) {
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
