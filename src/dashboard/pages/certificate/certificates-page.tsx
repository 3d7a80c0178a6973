import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton, DestructiveButton } from '../../components/confirm-button.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { HoursSelect, hoursFromNow } from '../../components/hours-select.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission } from '../../viewer.ts';

export default function CertificatesPage() {
  const cursor = useCursor();
  const canManage = useHasPermission('manage');
  const { mode } = useMode();
  const query = useCachedQuery(certificatesQuery, cursor.variables);
  const columns: TableColumn<CertificateRow>[] = [
    {
      title: t.certificate.fingerprint,
      cell: ({ fingerprint }) => (
        <Text size="sm" ff="monospace" title={fingerprint} span>
          {fingerprint.slice(0, 16)}…
        </Text>
      ),
    },
    { title: t.common.status, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      title: t.certificate.startDate,
      cell: ({ signsFrom }) => <>{fillNodes(t.certificate.from, { moment: <Moment at={signsFrom} /> })}</>,
    },
    {
      title: t.common.actions,
      isEndAligned: true,
      hasButtons: true,
      cell: (certificate) => (
        <Group gap="xs" justify="flex-end">
          <DownloadCertificate certificate={certificate} />
          {canManage && certificate.status !== 'revoked' && (
            <RevokeCertificate certificate={certificate} onRevoked={query.refresh} />
          )}
        </Group>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title={t.common.certificates}
        text={mode === 'live' ? t.certificate.signLiveCallbacks : t.certificate.signSandboxCallbacks}
      >
        {canManage && <NewCertificate onCreated={query.refresh} />}
      </PageHeader>
      <Section title={t.certificate.allCertificates} isFlush>
        <Loaded query={query} lines={4}>
          {({ certificates }) => (
            <Paged
              page={certificates}
              cursor={cursor}
              empty={
                <EmptyState title={t.certificate.noCertificates}>
                  {mode === 'live'
                    ? t.certificate.createForLiveCallbacks
                    : t.certificate.createForSandboxCallbacks}
                </EmptyState>
              }
            >
              {(rows) => <DataTable label={t.common.certificates} columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const startChoices = [
  { value: '0', label: t.certificate.now },
  { value: '1', label: t.certificate.inAnHour },
  { value: '24', label: t.certificate.inADay },
  { value: '168', label: t.certificate.inAWeek },
];

function NewCertificate({ onCreated }: { onCreated: () => void }) {
  const create = useMutationAction(createCertificateMutation, onCreated);
  const [hours, setHours] = useState('24');
  return (
    <ConfirmButton
      label={t.certificate.newCertificate}
      title={t.certificate.newCertificate}
      confirmLabel={t.certificate.createCertificate}
      onConfirm={() => create({ input: { signsFrom: hours === '0' ? null : hoursFromNow(hours) } })}
    >
      <Text size="sm">{t.certificate.theCurrentCertificateSigns}</Text>
      <HoursSelect
        label={t.certificate.startSigning}
        choices={startChoices}
        hours={hours}
        onChoose={setHours}
      />
    </ConfirmButton>
  );
}

function DownloadCertificate({ certificate: { id, publicKey } }: { certificate: CertificateRow }) {
  return (
    <Button
      size="compact-sm"
      variant="light"
      component="a"
      href={`data:application/x-pem-file,${encodeURIComponent(publicKey)}`}
      download={`${id}.pem`}
    >
      {t.certificate.download}
    </Button>
  );
}

function RevokeCertificate(props: { certificate: CertificateRow; onRevoked: () => void }) {
  const { certificate, onRevoked } = props;
  const revoke = useMutationAction(revokeCertificateMutation, onRevoked);
  return (
    <DestructiveButton
      label={t.certificate.revoke}
      title={t.certificate.revokeThisCertificate}
      confirmLabel={t.certificate.revokeCertificate}
      onConfirm={() => revoke({ input: { id: certificate.id } })}
    >
      <Text size="sm">{t.certificate.thisCertificateWillStop}</Text>
    </DestructiveButton>
  );
}

const certificatesQuery = graphql(
  `
    query Certificates($first: Int, $after: String, $last: Int, $before: String) {
      certificates(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          id
          status
          publicKey
          fingerprint
          signsFrom
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

type CertificateRow = ResultOf<typeof certificatesQuery>['certificates']['nodes'][number];

const createCertificateMutation = graphql(
  `
    mutation CreateCertificate($input: CreateCertificateInput!) {
      createCertificate(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

const revokeCertificateMutation = graphql(
  `
    mutation RevokeCertificate($input: RevokeCertificateInput!) {
      revokeCertificate(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
