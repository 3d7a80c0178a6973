/** The parsed information to the account owner (field 86) of one movement. */
export type Mt940Info = {
  /** Texts that the payer may have written, in order. */
  texts: string[];
  /** The bank's own text. */
  info: string[];
  /** Further values, which may repeat those of other properties. */
  others: string[];
  endToEndId?: string;
  instructionId?: string;
  mandateId?: string;
  counterpartyName?: string;
  counterpartyAccount?: string;
  isReturned: boolean;
  returnReason?: string;
};
