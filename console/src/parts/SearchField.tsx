/** A search field: Escape clears it, Enter opens the first result. */
import { Box, CloseButton, TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { IconSearch } from '../icons/tabler.ts';
import { common } from '../messages/en/common.ts';
import { translator } from '../messages/translate.ts';

const t = translator('common', common);

const FIRST_RESULT = 'main a[data-conversation]';
/** Limit of the API. */
const MOST_CHARACTERS = 200;

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** Opens the first result. */
  isReady?: boolean;
  width?: number;
}

export function SearchField({ label, placeholder, value, onChange, isReady = false, width }: SearchFieldProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // The Enter that confirms a word of an input method does not search.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && value !== '') {
      event.preventDefault();
      onChange('');
    }
    if (event.key === 'Enter' && isReady) {
      const first = document.querySelector<HTMLElement>(FIRST_RESULT);
      first?.focus();
      first?.click();
    }
  };
  return (
    <Box role="search" flex={width === undefined ? 1 : undefined} w={width} maw="100%">
      <TextInput
        aria-label={label}
        placeholder={placeholder}
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={
          value !== '' && <CloseButton size="sm" aria-label={t('clearSearch')} onClick={() => onChange('')} />
        }
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        maxLength={MOST_CHARACTERS}
      />
    </Box>
  );
}
