import { ActionIcon, Menu } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { HelpIcon } from '../components/icons.tsx';
import { getGuidePath } from './guides.ts';

/** Opens the guide for the current page, or all guides. */
export function HelpMenu() {
  const [location] = useLocation();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="Help" visibleFrom="xs">
          <HelpIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} href={getGuidePath(location)}>
          Guide to this page
        </Menu.Item>
        <Menu.Item component={Link} href="/help/guides/README">
          All guides
        </Menu.Item>
        <Menu.Item component={Link} href="/help/reference/glossary">
          Glossary
        </Menu.Item>
        <Menu.Item component="a" href="/docs">
          API reference
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
