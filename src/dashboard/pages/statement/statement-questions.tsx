import { Alert, Button, Group, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { handleSubmit } from '../../components/form.tsx';
import { type MappingInput, type StatementPreviewData, toMappingInput } from './import-query.ts';

type Question = StatementPreviewData['questions'][number];
type Choice = { label: string; changes: (mapping: MappingInput) => Partial<MappingInput> };
type ChoiceQuestion = { id: string; label: string; choices: Choice[] };

/** Asks about what the file does not show, such as the order of day and month. The answers become part of the format. */
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
    <Alert color="amber" variant="light" title="Answer before you import" mx="lg" mb="md">
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
              Apply answers
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
    label: 'Several worksheets have transactions. Which one do you want to import?',
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
        label: `Which part of the date ${sample} is the day?`,
        choices: [
          { label: 'The first: day, month, year', changes: () => ({ dateOrder: 'dmy' }) },
          { label: 'The second: month, day, year', changes: () => ({ dateOrder: 'mdy' }) },
        ],
      };
    case 'decimal_mark':
      return {
        id,
        label: `What does the mark in ${sample} separate?`,
        choices: [
          { label: 'Decimals', changes: () => ({ decimalMark: findMark(sample) }) },
          { label: 'Thousands', changes: () => ({ decimalMark: findMark(sample) === '.' ? ',' : '.' }) },
        ],
      };
    case 'status':
      return {
        id,
        label: `Has the money moved in rows with the status “${sample}”?`,
        choices: [
          addValue('Yes: import these rows', 'bookedValues', sample),
          { label: 'No: skip these rows', changes: () => ({}) },
        ],
      };
    case 'sign':
      return {
        id,
        label: 'No amount has a sign. In which direction do these amounts move?',
        choices: [
          { label: 'All are incoming', changes: () => ({ isCreditNegative: false }) },
          { label: 'All are outgoing', changes: () => ({ isCreditNegative: true }) },
        ],
      };
    default:
      return {
        id,
        label: `What does “${sample}” in the direction column mean?`,
        choices: [
          addValue('Incoming', 'creditValues', sample),
          addValue('Outgoing', 'debitValues', sample),
          addValue('Neither: skip these rows', 'ignoredValues', sample),
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
