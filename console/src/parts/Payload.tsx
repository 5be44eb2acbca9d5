// biome-ignore-all lint/suspicious/noArrayIndexKey: what messages hold has no ids, and does not move
/** What a message holds, of every kind. Everything is text of React's: markup in it stays text. */
import { Anchor, Badge, Group, Image, Paper, Stack, Text } from '@mantine/core';
import { configuration } from '../session/configuration.ts';
import { Json } from './Small.tsx';

// biome-ignore lint/suspicious/noExplicitAny: whatever a bot or user sent
type AnyPayload = Record<string, any>;

/** Only these addresses become links: `javascript:` and `data:` would run in this page. */
const SAFE = /^https?:\/\//i;
const str = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

export function SafeLink({ href, children }: { href: unknown; children: string }) {
  const address = str(href);
  if (!SAFE.test(address)) return <span>{children}</span>;
  return (
    <Anchor
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      underline="always"
      style={{ wordBreak: 'break-all' }}
    >
      {children}
    </Anchor>
  );
}

/**
 * Whether showing it calls nobody but the platform: another server would learn who reads the conversation, and when.
 */
function isOurs(address: string): boolean {
  const { apiUrl, chatUrl, contentOrigins } = configuration();
  const origin = URL.parse(address)?.origin;
  return SAFE.test(address) && [apiUrl, chatUrl, ...contentOrigins].some(each => URL.parse(each)?.origin === origin);
}

function Media({ kind, address }: { kind: 'image' | 'audio' | 'video'; address: unknown }) {
  const url = str(address);
  const link = <SafeLink href={url}>{url}</SafeLink>;
  if (!isOurs(url))
    return (
      <Text size="sm">
        {kind}: {link}
      </Text>
    );
  if (kind === 'image') return <Image src={url} alt="" maw={280} radius="sm" />;
  if (kind === 'audio')
    // biome-ignore lint/a11y/useMediaCaption: the sender gave none
    return <audio controls src={url} aria-label="Audio" />;
  // biome-ignore lint/a11y/useMediaCaption: the sender gave none
  return <video controls src={url} width={280} aria-label="Video" />;
}

const Options = ({ options, onChoose }: { options: unknown; onChoose?: ((value: string) => void) | undefined }) => (
  <Group gap={4}>
    {(Array.isArray(options) ? options : []).map((option, i) => {
      const label = str(option?.label);
      if (!onChoose)
        return (
          <Badge key={i} variant="default" tt="none">
            {label}
          </Badge>
        );
      return (
        <Badge
          key={i}
          component="button"
          type="button"
          variant="default"
          tt="none"
          style={{ cursor: 'pointer' }}
          onClick={() => onChoose(str(option?.value) || label)}
        >
          {label}
        </Badge>
      );
    })}
  </Group>
);

interface PayloadProps {
  type: string;
  payload: AnyPayload;
  /** What a person who talks to the bot does with its choices. */
  onChoose?: ((value: string) => void) | undefined;
}

const Words = ({ children }: { children: string }) => (
  <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    {children}
  </Text>
);

export function Payload({ type, payload, onChoose }: PayloadProps) {
  switch (type) {
    case 'text':
      return <Words>{str(payload.text)}</Words>;
    case 'markdown':
      return <Words>{str(payload.markdown)}</Words>;
    case 'image':
      return <Media kind="image" address={payload.imageUrl} />;
    case 'audio':
      return <Media kind="audio" address={payload.audioUrl} />;
    case 'video':
      return <Media kind="video" address={payload.videoUrl} />;
    case 'file':
      return <SafeLink href={payload.fileUrl}>{str(payload.title) || str(payload.fileUrl)}</SafeLink>;
    case 'location':
      return (
        <Words>
          {[payload.title, payload.address, `${str(payload.latitude)}, ${str(payload.longitude)}`]
            .filter(Boolean)
            .map(str)
            .join('\n')}
        </Words>
      );
    case 'choice':
    case 'dropdown':
      return (
        <Stack gap={4}>
          <Words>{str(payload.text)}</Words>
          <Options options={payload.options} onChoose={onChoose} />
        </Stack>
      );
    case 'card':
      return <Card card={payload} onChoose={onChoose} />;
    case 'carousel':
      return (
        <Group align="stretch" gap="xs">
          {(Array.isArray(payload.items) ? payload.items : []).map((card, i) => (
            <Card key={i} card={card ?? {}} onChoose={onChoose} />
          ))}
        </Group>
      );
    case 'bloc':
      return (
        <Stack gap={4}>
          {(Array.isArray(payload.items) ? payload.items : []).map((item, i) => (
            <Payload key={i} type={str(item?.type)} payload={item?.payload ?? item ?? {}} onChoose={onChoose} />
          ))}
        </Stack>
      );
    default:
      return <Json value={payload} label={`Message of the kind ${type}`} />;
  }
}

function Card({ card, onChoose }: { card: AnyPayload; onChoose: PayloadProps['onChoose'] }) {
  const actions = (Array.isArray(card.actions) ? card.actions : []) as AnyPayload[];
  return (
    <Paper withBorder p="xs" maw={300}>
      {card.imageUrl !== undefined && <Media kind="image" address={card.imageUrl} />}
      <Text fw={600} size="sm">
        {str(card.title)}
      </Text>
      {card.subtitle !== undefined && <Words>{str(card.subtitle)}</Words>}
      {actions
        .filter(({ action }) => action === 'url')
        .map(({ label, value }, i) => (
          <SafeLink key={i} href={value}>
            {str(label)}
          </SafeLink>
        ))}
      <Options options={actions.filter(({ action }) => action !== 'url')} onChoose={onChoose} />
    </Paper>
  );
}
