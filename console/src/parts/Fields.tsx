/** Compact toolbar fields, labeled by their placeholder or first option. */
import { NativeSelect, TextInput } from '@mantine/core';
import { type Icon, IconSearch } from '../icons/tabler.ts';

interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

interface FilterTextProps extends FieldProps {
  placeholder?: string;
  Icon?: Icon;
  width?: number;
  error?: string | undefined;
}

export const FilterText = ({
  label,
  value,
  onChange,
  placeholder,
  Icon = IconSearch,
  width = 220,
  error,
}: FilterTextProps) => (
  <TextInput
    aria-label={label}
    placeholder={placeholder ?? label}
    leftSection={<Icon size={14} aria-hidden />}
    value={value}
    onChange={event => onChange(event.currentTarget.value)}
    error={error}
    w={{ base: '100%', xs: width }}
    maxLength={1_000}
  />
);

interface FilterSelectProps extends FieldProps {
  options: readonly { value: string; label: string }[];
}

export const FilterSelect = ({ label, value, onChange, options }: FilterSelectProps) => (
  <NativeSelect
    aria-label={label}
    data={[...options]}
    value={value}
    onChange={event => onChange(event.currentTarget.value)}
  />
);
