import { Group, Text } from '@mantine/core';
import { formatOwnReference } from '../../../language/format-own-reference.ts';
import { Amount } from '../../components/amount.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { OrderList } from '../../components/order-list.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { ShareLink } from '../../components/share-link.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount } from '../../format/amount.ts';
import { formatMethod } from '../../format/labels.ts';
import { formatName } from '../../format/payer.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { isOpen } from './session-row.ts';
import {
  cancelSessionMutation,
  type SessionDetails,
  sessionQuery,
  sessionUpdated,
} from './sessions-query.ts';

export default function SessionPage({ id }: { id: string }) {
  const query = useCachedQuery(sessionQuery, { id });
  useLiveUpdates(sessionUpdated, { id }, query.refresh);
  return (
    <Loaded query={query} lines={8}>
      {({ session }) =>
        session ? <Details session={session} /> : <ObjectNotFound title={t.session.notFound} />
      }
    </Loaded>
  );
}

function Details({ session }: { session: SessionDetails }) {
  const { amount, currency, status, id } = session;
  return (
    <>
      <BackLink to="/sessions">{t.common.sessions}</BackLink>
      <PageHeader
        title={formatAmount(amount, currency)}
        objectType={t.session.session}
        badge={<StatusBadge status={status} />}
        text={<CopyText text={id} label={t.components.copyId} />}
      >
        {isOpen(session) && <OpenActions session={session} />}
      </PageHeader>
      <Section title={t.common.details}>
        <SessionFacts session={session} />
      </Section>
    </>
  );
}

function OpenActions({ session: { id, checkoutUrl } }: { session: SessionDetails }) {
  const canWrite = useHasPermission('write');
  const cancel = useMutationAction(cancelSessionMutation);
  return (
    <Group gap="sm">
      <ShareLink url={checkoutUrl} size="sm" />
      {canWrite && (
        <ConfirmButton
          label={t.session.cancelSession}
          title={t.session.cancelThisSession}
          cancelLabel={t.session.keepSession}
          variant="default"
          isDanger
          onConfirm={() => cancel({ input: { id } })}
        >
          <Text size="sm">{t.session.customersWhoOpenIts}</Text>
        </ConfirmButton>
      )}
    </Group>
  );
}

function SessionFacts({ session }: { session: SessionDetails }) {
  const { amount, currency, orders, customer, methods, charge, checkoutUrl } = session;
  return (
    <Facts
      facts={[
        [t.common.price, <Amount key="price" value={amount} currency={currency} />],
        [
          t.common.items,
          orders.length > 0 && (
            <OrderList orders={orders} currency={currency} hasMismatch={session.hasOrderMismatch} />
          ),
        ],
        [t.common.customer, customer && formatName(customer)],
        [t.common.email, customer?.email],
        [t.common.phone, customer?.phone],
        [
          t.common.paymentMethods,
          methods.length === 0 ? t.session.noPaymentMethodIs : methods.map(formatMethod).join(' · '),
        ],
        [t.common.charge, charge && <Link to={`/charges/${charge.id}`}>{charge.id}</Link>],
        [
          t.session.checkoutUrl,
          isOpen(session) && <CopyText text={checkoutUrl} label={t.components.copyUrl} />,
        ],
        [t.common.created, <Moment key="created" at={session.createdAt} format="long" />],
        [t.common.expires, isOpen(session) && <Moment key="ends" at={session.expiresAt} format="long" />],
        [
          t.common.yourReference,
          session.notifyPayload && (
            <CopyText
              text={formatOwnReference(session.notifyPayload)}
              label={t.components.copyYourReference}
            />
          ),
        ],
        [t.session.callbackUrl, session.notifyUrl],
        [t.common.returnUrl, session.redirectUrl],
        [t.session.returnUrlWithoutA, session.cancelUrl],
      ]}
    />
  );
}
