import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Suspense } from 'react';
import { SearchIcon } from '../components/icons.tsx';
import { t } from '../language/texts.ts';
import { lazyPage } from './lazy-page.tsx';

const SearchDialog = lazyPage(() => import('../pages/search/search-dialog.tsx'));

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens the search, also by Ctrl K or ⌘K. The dialog is loaded when it is opened. */
export function SearchButton() {
  const [opened, { open, close }] = useDisclosure();
  // The empty list makes the shortcut work also while a field has the focus.
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        fw={400}
        onClick={open}
        visibleFrom="md"
        leftSection={<SearchIcon />}
        rightSection={<Kbd size="xs">{isApple ? '⌘' : t.shell.ctrl} K</Kbd>}
        aria-keyshortcuts="Control+K Meta+K"
      >
        {t.common.search}
      </Button>
      <ActionIcon variant="default" size={30} onClick={open} hiddenFrom="md" aria-label={t.common.search}>
        <SearchIcon />
      </ActionIcon>
      {opened && (
        <Suspense>
          <SearchDialog onClose={close} />
        </Suspense>
      )}
    </>
  );
}
