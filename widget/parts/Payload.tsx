// biome-ignore-all lint/suspicious/noArrayIndexKey: what messages hold has no ids, and does not move
/** Renders messages of every type. HTML in texts is shown as text. */

import { counted } from '../languages.ts';
import type { AnyPayload } from '../talk/chatContract.ts';
import { useAround } from './around.ts';
import { Dropdown, type OnAnswer, Options } from './Choices.tsx';
import { Link } from './Link.tsx';
import { Markdown } from './Markdown.tsx';
import { Media } from './Media.tsx';
import { itemsOf, payloadOf, textOf } from './payloadValues.ts';

export interface PayloadProps {
  payload: AnyPayload;
  /** Called with the user's choice. Undefined once the user can no longer choose. */
  onAnswer?: OnAnswer | undefined;
  /** Permits a choice. Buttons of cards can be pressed repeatedly. */
  isOpen?: boolean;
  /** Shows texts as the visitor typed them. Those of bots and members are Markdown, as in the official webchat. */
  isOwn?: boolean;
}

const ADDRESS = /https?:\/\/[^\s<>"']*[^\s<>"'.,:;!?)\]}]/g;

/** Shows a text with linked URLs. */
function Words({ text }: { text: string }) {
  const parts = text.split(ADDRESS);
  const links = text.match(ADDRESS) ?? [];
  return (
    <p class="plain">
      {parts.map((part, i) => [
        part,
        links[i] && (
          <Link key={i} href={links[i]}>
            {links[i]}
          </Link>
        ),
      ])}
    </p>
  );
}

export function Payload({ payload, onAnswer, isOpen = false, isOwn = false }: PayloadProps) {
  const { words } = useAround();
  const Text = isOwn ? Words : Markdown;
  const onChoice = isOpen ? onAnswer : undefined;
  switch (payload.type) {
    case 'text':
      return <Text text={textOf(payload.text)} />;
    case 'markdown':
      return <Markdown text={textOf(payload.markdown)} />;
    case 'image':
      return <Media kind="image" address={payload.imageUrl} label={textOf(payload.title ?? payload.alt)} />;
    case 'audio':
      return <Media kind="audio" address={payload.audioUrl} label={textOf(payload.title)} />;
    case 'video':
      return <Media kind="video" address={payload.videoUrl} label={textOf(payload.title)} />;
    case 'file':
      return (
        <p>
          <Link href={payload.fileUrl} class="file">
            {textOf(payload.title) || words.file}
          </Link>
        </p>
      );
    case 'location':
      return <Location payload={payload} />;
    case 'choice':
      return (
        <>
          <Text text={textOf(payload.text)} />
          <Options options={payload.options} onAnswer={onChoice} />
        </>
      );
    case 'dropdown':
      return (
        <>
          <Text text={textOf(payload.text)} />
          <Dropdown options={payload.options} label={textOf(payload.text)} onAnswer={onChoice} />
        </>
      );
    case 'card':
      return <Card card={payload} onAnswer={onAnswer} />;
    case 'carousel':
      return <Carousel payload={payload} onAnswer={onAnswer} />;
    case 'bloc':
      return <Bloc payload={payload} onAnswer={onAnswer} isOpen={isOpen} />;
    default:
      return <p class="muted">{words.unsupportedMessage}</p>;
  }
}

function Location({ payload: { title, address, latitude, longitude } }: PayloadProps) {
  const { words } = useAround();
  const place = `${textOf(latitude)}, ${textOf(longitude)}`;
  const isPlace = Number.isFinite(latitude) && Number.isFinite(longitude);
  return (
    <>
      <p class="plain">
        {[textOf(title), textOf(address), place]
          .filter(Boolean)
          .map((line, i) => [i > 0 && '\n', <bdi key={i}>{line}</bdi>])}
      </p>
      {isPlace && (
        <p>
          <Link
            href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`}
          >
            {words.showOnMap}
          </Link>
        </p>
      )}
    </>
  );
}

function Card({ card, onAnswer }: { card: Record<string, unknown>; onAnswer: PayloadProps['onAnswer'] }) {
  const { words } = useAround();
  const { items, left } = itemsOf(card.actions);
  return (
    <div class="card">
      {card.imageUrl !== undefined && <Media kind="image" address={card.imageUrl} label={textOf(card.title)} />}
      <p class="heading">{textOf(card.title)}</p>
      {card.subtitle !== undefined && <Words text={textOf(card.subtitle)} />}
      <div class="options">
        {items.map(({ action, label, value }, i) =>
          action === 'url' ? (
            <Link key={i} href={value} class="option">
              {textOf(label)}
            </Link>
          ) : (
            <button
              key={i}
              type="button"
              class="option"
              disabled={!onAnswer}
              onClick={() => onAnswer?.(textOf(label), textOf(value))}
            >
              {textOf(label)}
            </button>
          ),
        )}
      </div>
      {left > 0 && <p class="muted">{counted(words.more, left)}</p>}
    </div>
  );
}

/** Shows cards in a row, which arrow keys scroll. */
function Carousel({ payload, onAnswer }: PayloadProps) {
  const { words } = useAround();
  const { items, left } = itemsOf(payload.items);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="carousel" tabIndex={0} aria-label={words.cards}>
        {items.map((card, i) => (
          <Card key={i} card={card} onAnswer={onAnswer} />
        ))}
      </section>
      {left > 0 && <p class="muted">{counted(words.more, left)}</p>}
    </>
  );
}

function Bloc({ payload, onAnswer, isOpen = false }: PayloadProps) {
  const { words } = useAround();
  const { items, left } = itemsOf(payload.items);
  const parts = items.map(payloadOf).map(each => (each.type === 'bloc' ? { type: 'unknown' } : each));
  return (
    <>
      {parts.map((each, i) => (
        <Payload key={i} payload={each} onAnswer={onAnswer} isOpen={isOpen} />
      ))}
      {left > 0 && <p class="muted">{counted(words.more, left)}</p>}
    </>
  );
}
