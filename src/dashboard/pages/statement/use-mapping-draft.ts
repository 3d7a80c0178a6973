import { useState } from 'react';
import { type MappingInput, type StatementPreviewData, toMappingInput } from './import-query.ts';

/**
 * Manages the mapping in the form: initially that of the preview, then the one that the user has edited.
 * `isPreviewed` is true if the preview was created with the current mapping. A new `key` resets the form.
 */
export function useMappingDraft(
  key: string,
  {
    preview,
    triedMapping,
  }: { preview: StatementPreviewData | undefined; triedMapping: MappingInput | undefined },
) {
  const [draft, setDraft] = useState<{ key: string; mapping: MappingInput }>();
  const previewMapping = toMappingInput(preview?.mapping ?? {});
  const mapping = draft?.key === key ? draft.mapping : previewMapping;
  const change = (newMapping: MappingInput) => setDraft({ key, mapping: newMapping });
  return {
    mapping,
    change,
    isPreviewed:
      isSame(mapping, previewMapping) || (triedMapping !== undefined && isSame(mapping, triedMapping)),
  };
}

/** Returns whether both mappings read a file in the same way. */
function isSame(left: MappingInput, right: MappingInput): boolean {
  const [leftText, rightText] = [left, right].map((mapping) => {
    const entries = Object.entries(toRelevantMapping(mapping)).filter(([, value]) => value !== false);
    return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
  return leftText === rightText;
}

/**
 * Removes the fields that have no effect: those of another `amountFormat`, and `bookedValues` without a
 * `statusColumn`.
 */
export function toRelevantMapping(mapping: MappingInput): MappingInput {
  const {
    amountColumn,
    creditColumn,
    debitColumn,
    directionColumn,
    creditValues,
    debitValues,
    ignoredValues,
    isCreditNegative,
    bookedValues,
    ...rest
  } = mapping;
  const amountFields = {
    separate_columns: { creditColumn, debitColumn },
    signed: { amountColumn, isCreditNegative },
    direction_column: { amountColumn, directionColumn, creditValues, debitValues, ignoredValues },
  };
  const status = rest.statusColumn == null ? {} : { bookedValues };
  return toMappingInput({ ...rest, ...amountFields[mapping.amountFormat], ...status });
}
