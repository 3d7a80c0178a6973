import { Group, Text } from '@mantine/core';
import { useRead } from '../../graphql/use-read.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { useIsOwner } from '../../viewer.ts';
import { DownloadCertificate, NewCertificate, RevokeCertificate } from './certificate-actions.tsx';
import { type CertificateRow, certificatesQuery } from './certificates-query.ts';

/** The keys that sign callbacks: made, downloaded, changed over, revoked. For both modes. */
export default function CertificatesPage() {
  const cursor = useCursor();
  const mayManage = useIsOwner();
  const read = useRead(certificatesQuery, cursor.variables);
  const columns: Column<CertificateRow>[] = [
    {
      title: 'Fingerprint',
      cell: ({ fingerprint }) => (
        <Text size="sm" ff="monospace" title={fingerprint} span>
          {fingerprint.slice(0, 16)}…
        </Text>
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      title: 'From',
      cell: ({ signsFrom }) => (
        <>
          from <Moment at={signsFrom} />
        </>
      ),
    },
    {
      title: 'Public key',
      end: true,
      buttons: true,
      cell: (certificate) => (
        <Group gap="xs" justify="flex-end">
          <DownloadCertificate certificate={certificate} />
          {mayManage && certificate.status !== 'revoked' && (
            <RevokeCertificate certificate={certificate} onRevoked={read.refresh} />
          )}
        </Group>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title="Certificates"
        text="Callbacks are signed with a private key that stays here; verify them with its public key."
      >
        {mayManage && <NewCertificate onMade={read.refresh} />}
      </PageHeader>
      <Section title="All certificates" flush>
        <Loaded read={read} lines={4}>
          {({ certificates }) => (
            <Paged
              page={certificates}
              cursor={cursor}
              empty={<Empty title="No certificates yet">Make one, and callbacks are signed with it.</Empty>}
            >
              {(rows) => <DataTable label="Certificates" columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
