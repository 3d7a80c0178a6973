import { Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { useViewer } from '../../viewer.ts';
import { AuditFilter, useAuditFilter } from './audit-filter.tsx';
import { type AuditEntry, auditQuery } from './audit-query.ts';

const actionTexts: Record<string, string> = {
  'access.requested': 'Restricted access asked for',
  'access.granted': 'Restricted access granted',
  'access.declined': 'Restricted access declined',
  'api_key.created': 'API key made',
  'api_key.updated': 'API key changed',
  'api_key.rotated': 'API key rotated',
  'api_key.revoked': 'API key revoked',
  'certificate.created': 'Certificate made',
  'certificate.revoked': 'Certificate revoked',
  'export.created': 'Export asked for',
  'export.downloaded': 'Payment file taken',
  'merchant.created': 'Account opened',
  'merchant.disabled': 'Account switched off',
  'merchant.enabled': 'Account switched on',
  'operations.switched_off': 'Operations switched off',
  'operations.switched_on': 'Operations switched on',
  'receiving_account.created': 'Receiving account added',
  'receiving_account.updated': 'Receiving account changed',
  'settings.updated': 'Settings changed',
  'user.created': 'User added',
  'user.updated': 'User changed',
  'user.password_changed': 'Password changed',
  'user.password_reset': 'Password reset',
  'user.invited': 'User invited',
  'user.invitation_resent': 'Invitation sent again',
  'user.invitation_withdrawn': 'Invitation withdrawn',
  'user.removed': 'User removed',
  'user.second_factor_on': 'Two-step sign-in turned on',
  'user.second_factor_off': 'Two-step sign-in turned off',
  'user.recovery_code_used': 'Recovery code used',
  'user.recovery_codes_renewed': 'Recovery codes replaced',
  'user.signed_out_everywhere': 'Signed out everywhere',
  'webhook.created': 'Webhook made',
  'webhook.updated': 'Webhook changed',
  'webhook.deleted': 'Webhook deleted',
  'alert.dismissed': 'Alert dismissed',
  'charge.cancelled': 'Charge cancelled',
  'charge.completed': 'Sandbox charge completed',
  'charge.created': 'Charge made',
  'checkout_link.closed': 'Checkout link closed',
  'checkout_link.created': 'Checkout link made',
  'invoice.charged': 'Charge made for an invoice',
  'notification.replayed': 'Notifications replayed',
  'notification.resent': 'Notification sent again',
  'refund.cancelled': 'Refund withdrawn',
  'refund.completed': 'Refund completed',
  'refund.created': 'Refund made',
  'refund.details_given': 'Payout details entered',
  'refund.reopened': 'Refund reopened',
  'session.cancelled': 'Session cancelled',
  'session.created': 'Session made',
  'statement.imported': 'Statement imported',
  'statement_mapping.updated': 'Reading of a bank’s CSV files changed',
  'subscription.cancelled': 'Subscription cancelled',
  'subscription.created': 'Customer enrolled',
  'subscription.method_changed': 'Payment method of a subscription changed',
  'subscription_link.created': 'Subscription link made',
  'subscription_plan.created': 'Plan made',
  'subscription_plan.updated': 'Plan changed',
  'test_clock.advanced': 'Test clock moved',
  'transfer.recorded': 'Transfers recorded',
  'transfer.simulated': 'Transfer simulated',
  'webhook.tested': 'Test notification sent',
};

/** Who changed what of the merchant's, when and from where. */
export default function AuditPage() {
  const isOwner = useViewer().user.role === 'owner';
  return (
    <>
      <PageHeader
        title="Audit log"
        text="Who changed what, when and from where. Entries are never changed or deleted."
      />
      <Section title="All entries" flush>
        {isOwner && <AuditFilter />}
        {isOwner ? <Entries /> : <Empty title="For owners">Only an owner reads the audit log.</Empty>}
      </Section>
    </>
  );
}

function Entries() {
  const cursor = useCursor();
  const filter = useAuditFilter();
  const isFiltered = Object.keys(filter).length > 0;
  const variables = { ...cursor.variables, filter };
  const [{ data, error }, reload] = useQuery({ query: auditQuery, variables });
  return (
    <Loaded data={data} error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} lines={8}>
      {({ auditEntries: { nodes, pageInfo } }) => (
        <>
          {nodes.length > 0 ? (
            <DataTable label="Audit log" columns={columns} rows={nodes} />
          ) : (
            <Empty title={isFiltered ? 'Nothing found' : 'Nothing yet'} />
          )}
          <Pager cursor={cursor} pageInfo={pageInfo} />
        </>
      )}
    </Loaded>
  );
}

/** So much of an id tells entries apart; the whole of it shows on hover. */
const idShownMax = 16;

const columns: Column<AuditEntry>[] = [
  {
    title: 'What',
    cell: ({ action, objectId }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600} span>
          {actionTexts[action] ?? action.replaceAll(/[._]/g, ' ')}
        </Text>
        {objectId !== null && (
          <Text size="xs" c="var(--causeway-muted)" title={objectId} style={{ whiteSpace: 'nowrap' }} span>
            {objectId.length > idShownMax ? `${objectId.slice(0, idShownMax)}…` : objectId}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    title: 'When',
    cell: ({ createdAt }) => (
      <Text size="sm" style={{ whiteSpace: 'nowrap' }} span>
        <Moment at={createdAt} />
      </Text>
    ),
  },
  {
    title: 'Who',
    cell: ({ actorName, address }) => (
      <Stack gap={0}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} span>
          {actorName}
        </Text>
        <Text size="xs" c="var(--causeway-muted)" span>
          {address ?? 'command line'}
        </Text>
      </Stack>
    ),
  },
  {
    title: 'Change',
    cell: ({ detail }) => (
      <Stack gap={2}>
        {changesOf(detail).map(([name, change]) => (
          <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }} span>
            <Text size="sm" c="var(--causeway-muted)" span inherit>
              {name}:
            </Text>{' '}
            {change}
          </Text>
        ))}
      </Stack>
    ),
  },
];

/** What changed, in words: `markup` and `0 → 0.02`. What is empty says nothing. */
function changesOf(detail: string): [name: string, change: string][] {
  return Object.entries(JSON.parse(detail) as Record<string, unknown>)
    .map(([name, value]): [string, string] => [
      nameText(name),
      isChange(value) ? `${plain(value.from) || 'none'} → ${plain(value.to) || 'none'}` : plain(value),
    ])
    .filter(([, change]) => change !== '');
}

/** `allowedOrigins` as `allowed origins`. */
function nameText(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${plain(inner)}`)
    .join(', ');
}
