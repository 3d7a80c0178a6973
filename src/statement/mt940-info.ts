/** What the information to the account owner (field 86) tells of one movement. */
export type Mt940Info = {
  /** Texts the payer can have written, in order. */
  texts: string[];
  /** The bank's own words. */
  info: string[];
  endToEndId?: string;
  instructionId?: string;
  mandateId?: string;
  counterpartyName?: string;
  counterpartyAccount?: string;
  returned: boolean;
  returnReason?: string;
};
