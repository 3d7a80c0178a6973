import { ActionIcon, Menu } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { HelpIcon } from '../components/icons.tsx';
import { t } from '../language/texts.ts';
import { getGuidePath } from './guides.ts';

export function HelpMenu() {
  const [location] = useLocation();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t.shell.help} visibleFrom="xs">
          <HelpIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} href={getGuidePath(location)}>
          {t.shell.guideToThisPage}
        </Menu.Item>
        <Menu.Item component={Link} href="/help/guides/README">
          {t.shell.allGuides}
        </Menu.Item>
        <Menu.Item component={Link} href="/help/reference/glossary">
          {t.shell.glossary}
        </Menu.Item>
        <Menu.Item component="a" href="/docs">
          {t.shell.apiReference}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
