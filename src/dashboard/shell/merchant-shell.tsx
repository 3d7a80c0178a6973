import { Badge, SegmentedControl, type SegmentedControlProps, Stack, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import { useLocation } from 'wouter';
import { DemoBadge } from '../components/demo-badge.tsx';
import { ChevronIcon, HomeIcon } from '../components/icons.tsx';
import { Link } from '../components/link.tsx';
import { useStoredFlag } from '../components/use-stored-flag.ts';
import type { Mode } from '../graphql/client.ts';
import type { LiveConnectionState } from '../graphql/resilient-subscription.ts';
import { t } from '../language/texts.ts';
import { useMode } from '../use-mode.ts';
import { useViewer } from '../viewer.ts';
import { type NavGroupProps, navGroups } from './nav-groups.ts';
import { NavLinks } from './nav-links.tsx';
import classes from './notices.module.css';
import { PageFrame } from './page-frame.tsx';
import { SearchButton } from './search-button.tsx';
import shellClasses from './shell.module.css';
import type { SignOut } from './use-sign-out.ts';

export function MerchantShell(props: {
  connection: LiveConnectionState;
  signOut: SignOut;
  children: ReactNode;
}) {
  const { connection, signOut, children } = props;
  const isNarrow = useIsNarrow();
  return (
    <PageFrame
      badge={<MerchantName isLinked />}
      controls={
        <>
          {isNarrow && <ModeBadge />}
          <SearchButton />
          {!isNarrow && <ModeControl />}
        </>
      }
      navigation={<Navigation />}
      signOut={signOut}
    >
      <Notices connection={connection} />
      {children}
    </PageFrame>
  );
}

/** `isLinked` must be false for users who cannot open the settings. */
export function MerchantName({ isLinked = false }: { isLinked?: boolean }) {
  const { merchant } = useViewer();
  return (
    <>
      {isLinked ? (
        <Link to="/settings" className={shellClasses.merchant}>
          {merchant?.name}
        </Link>
      ) : (
        <span className={shellClasses.merchant} title={merchant?.name}>
          {merchant?.name}
        </span>
      )}
      {merchant?.isDemo && (
        <span className={shellClasses.demo}>
          <DemoBadge />
        </span>
      )}
    </>
  );
}

/** Whether the screen is a phone, whose header has no room for the mode next to the merchant's name. */
function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 30em)', false, { getInitialValueInEffect: false });
}

/** Switches the whole dashboard between live and sandbox. On phones, it is in the menu. */
export function ModeControl(props: Pick<SegmentedControlProps, 'mb'>) {
  const { mode, setMode } = useMode();
  const [location, navigate] = useLocation();

  const change = (next: string) => setMode(next as Mode, () => navigate(getPathInOtherMode(location)));

  return (
    <SegmentedControl
      aria-label={t.shell.mode}
      size="xs"
      value={mode}
      onChange={change}
      color={mode === 'sandbox' ? 'amber' : 'causeway'}
      {...props}
      data={[
        { value: 'live', label: t.shell.live },
        { value: 'sandbox', label: t.shell.sandbox },
      ]}
    />
  );
}

/** Returns the list of the open object, because the object does not exist in the other mode. */
function getPathInOtherMode(path: string): string {
  if (path.startsWith('/help/')) return path;
  const [, list = ''] = path.split('/');
  return list === 'feed-deliveries' ? '/bank-feeds' : `/${list}`;
}

/** Shows the mode on screens that have `ModeControl` in the menu. */
export function ModeBadge() {
  const { mode } = useMode();
  return (
    <Badge color={mode === 'sandbox' ? 'amber' : 'causeway'} variant="light" flex="none" miw="max-content">
      {mode === 'sandbox' ? t.shell.sandbox : t.shell.live}
    </Badge>
  );
}

export function Notices({ connection }: { connection: LiveConnectionState }) {
  const { mode } = useMode();
  const { merchant } = useViewer();
  return (
    <Stack gap="xs" className={classes.notices} role="status">
      {connection === 'lost' && <Notice title={t.shell.reconnecting}>{t.shell.theConnectionWasLost}</Notice>}
      {mode === 'sandbox' ? (
        <Notice title={t.shell.sandbox}>{t.shell.testModeNoReal}</Notice>
      ) : (
        merchant?.isDemo && <Notice title={t.shell.demo}>{t.shell.theReceivingAccountsAre}</Notice>
      )}
    </Stack>
  );
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p className={classes.notice}>
      <strong>{title}</strong> {children}
    </p>
  );
}

function Navigation() {
  return (
    <nav aria-label={t.shell.main}>
      {useIsNarrow() && <ModeControl mb="xs" />}
      <NavLinks items={[{ to: '/', pattern: '/', label: t.shell.home, Icon: HomeIcon }]} />
      {navGroups.map((group) => (
        <NavGroup key={group.id} {...group} />
      ))}
    </nav>
  );
}

/** A group of pages that can be folded. The group of the current page is always open. */
function NavGroup({ id: groupId, title, items, isFolded = false }: NavGroupProps) {
  const { mode } = useMode();
  const id = useId();
  const [location] = useLocation();
  const [isOpen, setOpen] = useStoredFlag(`causeway-nav-${groupId}`, !isFolded);
  const { permissions } = useViewer();
  const visibleItems = items.filter(
    ({ isSandboxOnly, permission }) =>
      (!isSandboxOnly || mode === 'sandbox') && (!permission || permissions.includes(permission)),
  );
  const isShown = isOpen || visibleItems.some(({ to }) => `/${location.split('/')[1]}` === to);
  return (
    <>
      <UnstyledButton
        id={id}
        className={shellClasses.group}
        aria-expanded={isShown}
        onClick={() => setOpen(!isShown)}
      >
        {title}
        <span className={shellClasses.chevron}>
          <ChevronIcon />
        </span>
      </UnstyledButton>
      {isShown && <NavLinks items={visibleItems} labelledBy={id} />}
    </>
  );
}
