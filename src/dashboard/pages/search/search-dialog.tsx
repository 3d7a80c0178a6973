import { Group, Modal, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { SearchIcon } from '../../components/icons.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatError } from '../../graphql/errors.ts';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { useIsOwner, useViewer } from '../../viewer.ts';
import { useMethodRegions } from '../payment-methods.ts';
import { findPages } from './find-pages.ts';
import classes from './search.module.css';
import { useSearch } from './search-query.ts';
import { type SearchGroup, toPageGroups, toSearchGroups } from './to-search-groups.ts';

/** The arrow keys select a result, and Enter opens it. */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [selectedIndex, setSelectedIndex] = useState(0);
  const [, navigate] = useLocation();
  const listId = useId();
  const { results, error, isCurrent } = useSearch(text);
  const [methods, isOwner, { mode }] = [useMethodRegions(), useIsOwner(), useMode()];
  const { permissions } = useViewer();
  const pages = findPages(text.trim(), { methods, mode, isOwner, permissions });
  const groups = [...toPageGroups(pages), ...(results ? toSearchGroups(results) : [])];
  const items = groups.flatMap((group) => group.items);
  const selected = items[Math.min(selectedIndex, items.length - 1)];
  const open = (path: string) => {
    onClose();
    navigate(path);
  };
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      const current = selected ? items.indexOf(selected) : 0;
      const next = (current + step + items.length) % items.length;
      setSelectedIndex(next);
      document.getElementById(`${listId}-${items[next]!.id}`)?.scrollIntoView({ block: 'nearest' });
    }
    // A composition of Chinese or Korean characters also ends with Enter.
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && selected) open(selected.path);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.common.search}
      size="lg"
      padding={0}
      yOffset="8vh"
      classNames={{ header: classes.header }}
    >
      <TextInput
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setSelectedIndex(0);
        }}
        onKeyDown={handleKey}
        placeholder={t.search.nameEmailAmountOrder}
        aria-label={t.common.search}
        role="combobox"
        aria-expanded={items.length > 0}
        aria-controls={listId}
        aria-activedescendant={selected && `${listId}-${selected.id}`}
        aria-autocomplete="list"
        maxLength={200}
        size="lg"
        variant="unstyled"
        leftSection={<SearchIcon />}
        leftSectionPointerEvents="none"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        className={classes.input}
      />
      <div className={classes.results} aria-busy={text !== '' && !isCurrent}>
        <ErrorAlert text={error && formatError(error)} takesFocus={false} />
        <div role="listbox" id={listId} aria-label={t.search.results}>
          {groups.map((group) => (
            <ResultGroup
              key={group.title}
              listId={listId}
              group={group}
              selectedId={selected?.id}
              onOpen={open}
            />
          ))}
        </div>
        {items.length === 0 && <Hint text={text.trim()} isCurrent={isCurrent} />}
      </div>
    </Modal>
  );
}

function Hint({ text, isCurrent }: { text: string; isCurrent: boolean }) {
  const isTooShort = text.length < 2;
  return (
    <Text size="sm" c="var(--causeway-muted)" p="md" role="status">
      {isTooShort
        ? t.search.findsChargesTransfersCustomers
        : isCurrent
          ? fillText(t.search.nothingFoundForTry, { text })
          : t.search.searching}
    </Text>
  );
}

function ResultGroup(props: {
  listId: string;
  group: SearchGroup;
  selectedId: string | undefined;
  onOpen: (path: string) => void;
}) {
  const { listId, group, selectedId, onOpen } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be part of a listbox.
    <div role="group" aria-label={group.title}>
      <Text size="xs" fw={600} c="var(--causeway-muted)" px="md" pt="sm" pb={4} aria-hidden>
        {group.title}
      </Text>
      {group.items.map((item) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the input select and open options.
        <div
          key={item.id}
          id={`${listId}-${item.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={item.id === selectedId}
          className={classes.option}
          onClick={() => onOpen(item.path)}
        >
          <div className={classes.text}>
            <Text size="sm" fw={600} truncate>
              {item.title}
            </Text>
            <Text size="xs" c="var(--causeway-muted)" truncate>
              {item.detail !== item.title && item.detail}
              {item.detail !== null && item.detail !== item.title && item.createdAt !== null && ' · '}
              {item.createdAt !== null && (
                <Moment at={item.createdAt} format={item.isCreatedAtDateOnly ? 'date' : 'short'} />
              )}
            </Text>
          </div>
          <Group gap="xs" wrap="nowrap">
            {item.amount !== null && <Text size="sm">{item.amount}</Text>}
            {item.status !== null && <StatusBadge status={item.status} />}
          </Group>
        </div>
      ))}
    </div>
  );
}
