/** Small things that many pages show. */
import {
  ActionIcon,
  Badge,
  Button,
  Code,
  CopyButton,
  Group,
  Modal,
  ScrollArea,
  Stack,
  Table,
  Text,
  Tooltip,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function When({ at }: { at: string | undefined }) {
  if (!at || Number.isNaN(Date.parse(at))) return <span>–</span>;
  return (
    <time dateTime={at} title={at}>
      {FORMAT.format(new Date(at))}
    </time>
  );
}

export const Copy = ({ value, label }: { value: string; label: string }) => (
  <CopyButton value={value}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copied' : label}>
        <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={label}>
          {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
);

/** An identifier or address that people copy. */
export const Copyable = ({ value, label }: { value: string; label: string }) => (
  <Group gap={4} wrap="nowrap">
    <Code style={{ wordBreak: 'break-all' }}>{value}</Code>
    <Copy value={value} label={label} />
  </Group>
);

export const Json = ({
  value,
  label = 'Data',
  isText = false,
}: {
  value: unknown;
  label?: string;
  isText?: boolean;
}) => (
  <ScrollArea.Autosize mah={360} viewportProps={{ tabIndex: 0, 'aria-label': label, role: 'region' }}>
    <Code block style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-word' }}>
      {isText ? String(value) : JSON.stringify(value, null, 2)}
    </Code>
  </ScrollArea.Autosize>
);

export function Tags({ tags }: { tags: Record<string, string> | undefined }) {
  const entries = Object.entries(tags ?? {});
  if (entries.length === 0) return null;
  return (
    <Group gap={4}>
      {entries.map(([name, value]) => (
        <Badge key={name} variant="default" tt="none" maw={320} title={`${name}: ${value}`}>
          {name}: {value}
        </Badge>
      ))}
    </Group>
  );
}

const COLOURS: Record<string, string> = { good: 'green', bad: 'red', busy: 'yellow', idle: 'gray' };

export const Status = ({ kind, children }: { kind: 'good' | 'bad' | 'busy' | 'idle'; children: ReactNode }) => (
  <Badge variant="dot" color={COLOURS[kind]!} tt="none">
    {children}
  </Badge>
);

interface ConfirmProps {
  label: string;
  title: string;
  children: ReactNode;
  isBusy?: boolean;
  size?: string;
  onConfirm: () => void;
}

/** A button for what cannot be taken back. */
export function Confirm({ label, title, children, isBusy = false, size = 'xs', onConfirm }: ConfirmProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const confirm = () => {
    close();
    onConfirm();
  };
  return (
    <>
      <Button size={size} variant="default" loading={isBusy} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        <Stack>
          <Text size="sm">{children}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button color="red.9" onClick={confirm}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

interface DetailProps<T> {
  of: T | undefined;
  title: ReactNode;
  onClose: () => void;
  children: (of: T) => ReactNode;
}

/** More about one row of a list, while one is chosen. */
export const Detail = <T,>({ of, title, onClose, children }: DetailProps<T>) => (
  <Modal opened={of !== undefined} onClose={onClose} title={title} size="lg">
    {of !== undefined && children(of)}
  </Modal>
);

/** A table that scrolls sideways where the screen is narrow. */
export const Rows = ({ label, heads, children }: { label: string; heads: string[]; children: ReactNode }) => (
  <Table.ScrollContainer
    minWidth={560}
    scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': label, role: 'region' } }}
  >
    <Table highlightOnHover verticalSpacing="xs" aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {heads.map(head => (
            <Table.Th key={head}>{head}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

const SIZES = ['B', 'KB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number | null): string {
  if (bytes === null) return '–';
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZES.length - 1);
  return `${(bytes / 1000 ** step).toLocaleString(undefined, { maximumFractionDigits: 1 })} ${SIZES[step]}`;
}
