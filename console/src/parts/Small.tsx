/** Small shared components. */
import {
  Badge,
  Button,
  Code,
  Group,
  ScrollArea,
  Stack,
  Table,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Icon } from '../icons/tabler.ts';
import { isolate, isolateJson } from '../messages/bidi.ts';
import { common } from '../messages/en/common.ts';
import { locale } from '../messages/language.ts';
import { translator } from '../messages/translate.ts';
import { IconAction } from './Copyable.tsx';
import { Modal } from './Overlay.tsx';
import classes from './Small.module.css';
import { formatTime, formatWhole } from './time.ts';
import { useHiddenColumns } from './useHiddenColumns.ts';

const t = translator('common', common);

/** @param isExact shows seconds, for lists with frequent entries */
export function When({ at, isExact = false }: { at: string | undefined; isExact?: boolean }) {
  if (!at || Number.isNaN(Date.parse(at))) return <span>–</span>;
  return (
    <time dateTime={at} title={formatWhole(at)} className="number" style={{ whiteSpace: 'nowrap' }}>
      {formatTime(at, isExact)}
    </time>
  );
}

export const Json = ({
  value,
  label = t('dataLabel'),
  isText = false,
}: {
  value: unknown;
  label?: string;
  isText?: boolean;
}) => (
  <ScrollArea.Autosize mah={360} maw="100%" viewportProps={{ tabIndex: 0, 'aria-label': label, role: 'region' }}>
    <Code block className={classes.code}>
      {isText ? String(value) : isolateJson(JSON.stringify(value, null, 2) ?? '')}
    </Code>
  </ScrollArea.Autosize>
);

export function Tags({ tags }: { tags: Record<string, string> | undefined }) {
  const entries = Object.entries(tags ?? {});
  if (entries.length === 0) return null;
  return (
    <Group gap={4}>
      {entries.map(([name, value]) => (
        <span key={name} className={classes.tag} title={`${isolate(name)}: ${isolate(value)}`}>
          <bdi className={classes.tagName}>{name}</bdi> <bdi>{value}</bdi>
        </span>
      ))}
    </Group>
  );
}

const COLOURS = { good: 'green', bad: 'red', busy: 'yellow', idle: 'gray' } as const;
export type StatusKind = keyof typeof COLOURS;

export const Status = ({ kind, children }: { kind: StatusKind; children: ReactNode }) => (
  <Badge
    variant="light"
    color={COLOURS[kind]}
    size="md"
    fz={12}
    miw="max-content"
    leftSection={<span className={classes.dot} data-kind={kind} />}
  >
    {children}
  </Badge>
);

interface ConfirmProps {
  label: string;
  title: string;
  children: ReactNode;
  /** In rows, replaces the label. */
  Icon?: Icon;
  isBusy?: boolean;
  size?: string;
  /** False for actions that do not delete anything. */
  isDanger?: boolean;
  onConfirm: () => void;
}

/** A button that asks for confirmation of an irreversible action. */
export function Confirm(props: ConfirmProps) {
  const { label, title, children, Icon, isBusy = false, size = 'xs', isDanger = true, onConfirm } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const confirm = () => {
    close();
    onConfirm();
  };
  return (
    <>
      {Icon ? (
        <IconAction label={label} Icon={Icon} isBusy={isBusy} isDanger={isDanger} onClick={open} />
      ) : (
        <Button size={size} variant="default" loading={isBusy} onClick={open}>
          {label}
        </Button>
      )}
      <Modal opened={isOpen} onClose={close} title={title}>
        <Stack>
          <Text size="sm">{children}</Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close} data-autofocus>
              {t('cancel')}
            </Button>
            <Button {...(isDanger ? { color: 'red.9' } : {})} onClick={confirm}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

export const Facts = ({ children }: { children: ReactNode }) => <dl className={classes.facts}>{children}</dl>;

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

/** The visually hidden header of a button column. */
export const ACTIONS = '';

interface RowsProps {
  label: string;
  heads: string[];
  /** Width from which the table scrolls, in pixels. */
  minWidth?: number;
  children: ReactNode;
}

/** A table that scrolls horizontally on narrow screens, with a shadow at the edge that hides columns. */
export function Rows({ label, heads, minWidth = 560, children }: RowsProps) {
  const { ref, hasMore } = useHiddenColumns();
  return (
    <div className={classes.rows} ref={ref} {...(hasMore ? { 'data-more': true } : {})}>
      <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} aria-label={label} role="region">
        <Table highlightOnHover aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {heads.map(head => (
                <Table.Th key={head} className={classes.head}>
                  {head === ACTIONS ? <VisuallyHidden>{t('actions')}</VisuallyHidden> : head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

/** A row that opens when it is clicked. Its first cell contains the button or link. */
export const Row = ({ children }: { children: ReactNode }) => <Table.Tr className={classes.row}>{children}</Table.Tr>;

export const RowButton = ({ children, onClick }: { children: ReactNode; onClick: () => void }) => (
  <UnstyledButton className={classes.opener} onClick={onClick}>
    {children}
  </UnstyledButton>
);

export const RowLink = ({ children, to }: { children: ReactNode; to: string }) => (
  <Link className={classes.opener} to={to as string}>
    {children}
  </Link>
);

export const RowActions = ({ children }: { children: ReactNode }) => (
  <Table.Td className={classes.actions}>
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {children}
    </Group>
  </Table.Td>
);

const SIZES = ['B', 'KB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number | null): string {
  if (bytes === null) return '–';
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZES.length - 1);
  return `${(bytes / 1000 ** step).toLocaleString(locale, { maximumFractionDigits: 1 })} ${SIZES[step]}`;
}
