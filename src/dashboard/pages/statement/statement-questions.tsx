import { Alert, Button, Group, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import { handleSubmit } from '../../components/form.tsx';
import { t } from '../../language/texts.ts';
import { type MappingInput, type StatementPreviewData, toMappingInput } from './import-query.ts';

type Question = StatementPreviewData['questions'][number];
type Choice = { label: string; changes: (mapping: MappingInput) => Partial<MappingInput> };
type ChoiceQuestion = { id: string; label: string; choices: Choice[] };

/**
 * Asks for facts that the file does not show, such as the order of day and month. The answers become part of the
 * format.
 */
export function StatementQuestions(props: {
  preview: StatementPreviewData;
  isBusy: boolean;
  onAnswer: (mapping: MappingInput) => void;
}) {
  const { preview, isBusy, onAnswer } = props;
  const [answers, setAnswers] = useState<Record<string, string>>({});
  const questions = toChoiceQuestions(preview);
  const answer = () => {
    let mapping = toMappingInput(preview.mapping ?? {});
    for (const { id, choices } of questions) {
      const choice = choices.find(({ label }) => label === answers[id]);
      mapping = { ...mapping, ...choice?.changes(mapping) };
    }
    onAnswer(mapping);
  };
  return (
    <Alert color="amber" variant="light" title={t.statement.answerBeforeYouImport} mx="lg" mb="md">
      <form onSubmit={handleSubmit(answer)}>
        <Stack>
          {questions.map(({ id, label, choices }) => (
            <Radio.Group
              key={id}
              label={label}
              value={answers[id] ?? null}
              onChange={(value) => setAnswers({ ...answers, [id]: value })}
            >
              <Group mt="xs">
                {choices.map((choice) => (
                  <Radio key={choice.label} value={choice.label} label={choice.label} />
                ))}
              </Group>
            </Radio.Group>
          ))}
          <Group>
            <Button
              type="submit"
              variant="default"
              loading={isBusy}
              disabled={questions.some(({ id }) => answers[id] === undefined)}
            >
              {t.statement.applyAnswers}
            </Button>
          </Group>
        </Stack>
      </form>
    </Alert>
  );
}

/** Converts the questions of a preview; those about worksheets become one. */
function toChoiceQuestions({ questions, mapping }: StatementPreviewData): ChoiceQuestion[] {
  const sheets = questions.filter(({ kind }) => kind === 'sheet').map(({ sample }) => sample);
  const others = questions.filter(({ kind }) => kind !== 'sheet');
  const sheetQuestion: ChoiceQuestion = {
    id: 'sheet',
    label: t.statement.severalWorksheetsHaveTransactions,
    choices: [mapping?.sheet ?? '', ...sheets].map((sheet) => ({ label: sheet, changes: () => ({ sheet }) })),
  };
  return [...(sheets.length > 0 ? [sheetQuestion] : []), ...others.map(toChoiceQuestion)];
}

function toChoiceQuestion({ kind, sample }: Question): ChoiceQuestion {
  const id = `${kind} ${sample}`;
  switch (kind) {
    case 'date_order':
      return {
        id,
        label: fillText(t.statement.whichPartOfThe, { sample }),
        choices: [
          { label: t.statement.theFirstDayMonth, changes: () => ({ dateOrder: 'dmy' }) },
          { label: t.statement.theSecondMonthDay, changes: () => ({ dateOrder: 'mdy' }) },
        ],
      };
    case 'decimal_mark':
      return {
        id,
        label: fillText(t.statement.whatDoesTheMark, { sample }),
        choices: [
          { label: t.statement.decimals, changes: () => ({ decimalMark: findMark(sample) }) },
          {
            label: t.statement.thousands,
            changes: () => ({ decimalMark: findMark(sample) === '.' ? ',' : '.' }),
          },
        ],
      };
    case 'status':
      return {
        id,
        label: fillText(t.statement.hasTheMoneyMoved, { sample }),
        choices: [
          addValue(t.statement.yesImportTheseRows, 'bookedValues', sample),
          { label: t.statement.noSkipTheseRows, changes: () => ({}) },
        ],
      };
    case 'sign':
      return {
        id,
        label: t.statement.noAmountHasA,
        choices: [
          { label: t.statement.allAreIncoming, changes: () => ({ isCreditNegative: false }) },
          { label: t.statement.allAreOutgoing, changes: () => ({ isCreditNegative: true }) },
        ],
      };
    default:
      return {
        id,
        label: fillText(t.statement.whatDoesInThe, { sample }),
        choices: [
          addValue(t.statement.incoming, 'creditValues', sample),
          addValue(t.common.outgoing, 'debitValues', sample),
          addValue(t.statement.neitherSkipTheseRows, 'ignoredValues', sample),
        ],
      };
  }
}

function addValue(
  label: string,
  name: 'bookedValues' | 'creditValues' | 'debitValues' | 'ignoredValues',
  value: string,
): Choice {
  return { label, changes: (mapping) => ({ [name]: [...(mapping[name] ?? []), value] }) };
}

function findMark(sample: string): string {
  return sample.includes(',') ? ',' : '.';
}
