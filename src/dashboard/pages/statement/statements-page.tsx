import { Button, Stack } from '@mantine/core';
import { Link as Route } from 'wouter';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { WholeWords } from '../../components/whole-words.tsx';
import { isUnderWay } from '../../format/under-way.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { faultText, formatText, resultsText } from './statement-texts.ts';
import { importRefreshMs, type StatementRow, statementsQuery } from './statements-query.ts';

/** All statement files, the last imported first. */
export default function StatementsPage() {
  const cursor = useCursor();
  const mayImport = useMay('transfers');
  const read = useRead(statementsQuery, cursor.variables);
  useInterval(read.data?.statements.nodes.some(isUnderWay) ? importRefreshMs : null, read.refresh);
  const columns = useColumns();
  return (
    <>
      <PageHeader title="Statements" text="Import bank statements to match payments.">
        {mayImport && (
          <Button component={Route} href="/statements/new">
            Import statement
          </Button>
        )}
      </PageHeader>
      <Section title="Imported files" flush>
        <Loaded read={read} lines={8}>
          {({ statements }) => (
            <Paged
              page={statements}
              cursor={cursor}
              empty={
                <Empty title="No statements yet">
                  Import a camt.053, camt.054, MT940 or CSV file from your bank. Its entries are matched to
                  your charges. You can import a file, or parts of it, again; nothing is counted twice.
                </Empty>
              }
            >
              {(rows) => <DataTable label="Statements" columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function useColumns(): Column<StatementRow>[] {
  const methodName = useMethodName();
  return [
    {
      title: 'File',
      cell: ({ id, fileName, format }) => (
        <Stack gap={0} miw="9rem" align="flex-start">
          <Link to={`/statements/${id}`} fw={600}>
            {fileName}
          </Link>
          <Quiet>{formatText(format)}</Quiet>
        </Stack>
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={`statement_${status}`} /> },
    {
      title: 'Account',
      cell: ({ receivingAccount: { method, account } }) => (
        <Quiet>
          <WholeWords>
            {methodName(method)} {account}
          </WholeWords>
        </Quiet>
      ),
    },
    {
      title: 'Result',
      cell: (statement) => <Quiet>{outcomeText(statement)}</Quiet>,
    },
    {
      title: 'Imported',
      end: true,
      cell: ({ createdAt, importedByName }) => (
        <Quiet>
          <Moment at={createdAt} />
          <br />
          <WholeWords>{importedByName}</WholeWords>
        </Quiet>
      ),
    },
  ];
}

function outcomeText(statement: StatementRow): string {
  if (statement.error) return faultText(statement.error);
  if (isUnderWay(statement)) return `${Math.floor(statement.progress * 100)} %`;
  return resultsText(statement.results);
}
