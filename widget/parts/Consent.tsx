import type { ChatSettings } from '../package/index.d.ts';
import { useAround } from './around.ts';
import { Link } from './Link.tsx';

interface ConsentProps {
  consent: NonNullable<ChatSettings['consent']>;
  isGiven: boolean;
  onChange(isGiven: boolean): void;
}

/** A notice before the first message, with a box to check if consent is required. */
export function Consent({ consent: { text, linkText, url, required }, isGiven, onChange }: ConsentProps) {
  const { words } = useAround();
  return (
    <div class="consent">
      <p class="muted">
        <bdi>{text}</bdi> {url && <Link href={url}>{linkText ?? url}</Link>}
      </p>
      {required && (
        <label>
          <input type="checkbox" checked={isGiven} onChange={event => onChange(event.currentTarget.checked)} />{' '}
          {words.agree}
        </label>
      )}
    </div>
  );
}
