import { isTrusted, safeAddress } from '../addresses.ts';
import { useAround } from './around.ts';
import { Link } from './Link.tsx';

interface MediaProps {
  kind: 'image' | 'audio' | 'video';
  address: unknown;
  label?: string | undefined;
}

/** Shows media from trusted origins, and links to other media. */
export function Media({ kind, address, label }: MediaProps) {
  const { words, mediaOrigins } = useAround();
  const url = safeAddress(address);
  const name = label || words[kind];
  if (!url || !isTrusted(url, mediaOrigins)) {
    return (
      <p>
        <Link href={url}>
          {words[kind]}
          {label && (
            <>
              : <bdi>{label}</bdi>
            </>
          )}
        </Link>
      </p>
    );
  }
  if (kind === 'image') {
    return (
      <a href={url} target="_blank" rel="noopener noreferrer" class="media">
        <img src={url} alt={name} loading="lazy" referrerpolicy="no-referrer" />
        <span class="hidden"> ({words.newWindow})</span>
      </a>
    );
  }
  if (kind === 'audio') {
    // biome-ignore lint/a11y/useMediaCaption: the sender gave none
    return <audio controls preload="metadata" src={url} aria-label={name} />;
  }
  // biome-ignore lint/a11y/useMediaCaption: the sender gave none
  return <video controls preload="metadata" playsInline src={url} aria-label={name} class="media" />;
}
