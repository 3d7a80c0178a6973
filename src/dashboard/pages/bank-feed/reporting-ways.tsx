import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Section } from '../../components/section.tsx';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';

/** Names all ways in which Causeway learns of transfers, because bank feeds do not exist for every bank. */
export function ReportingWays() {
  return (
    <Section title={t.bankFeed.waysToReport}>
      <Stack gap="md">
        <Text size="sm">{t.bankFeed.chooseTheWays}</Text>
        <Facts
          facts={[
            [
              t.bankFeed.bankFeed,
              toText(t.bankFeed.byBankFeed, '/help/guides/feeds/README', t.bankFeed.guideToBankFeeds),
            ],
            [
              t.bankFeed.filesBySftp,
              toText(t.bankFeed.bySftp, '/help/guides/feeds/sftp', t.bankFeed.guideToSftp),
            ],
            [
              t.bankFeed.statementUpload,
              toText(t.bankFeed.byStatement, '/statements/new', t.bankFeed.importStatements),
            ],
            [
              t.bankFeed.yourOwnSystem,
              toText(t.bankFeed.byYourSystem, '/help/guides/transfers', t.bankFeed.guideToTransfers),
            ],
            [t.bankFeed.enteredByHand, toText(t.bankFeed.byHand, '/transfers', t.bankFeed.recordTransfers)],
          ]}
        />
      </Stack>
    </Section>
  );
}

function toText(text: string, to: string, label: string): ReactNode {
  return fillNodes(text, {
    link: (
      <Link to={to} underline="always">
        {label}
      </Link>
    ),
  });
}
