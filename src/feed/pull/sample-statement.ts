import { escapeHtml } from '../../kit/escape-html.ts';
import type { FeedSample, FeedSampleInput } from '../feed-definition.ts';

/** Creates a camt.053 statement with one booked credit, as a bank would provide it. */
export function createSampleStatement(input: FeedSampleInput): FeedSample {
  const { id, account, amount, currency, reference, payerName, paidAt } = input;
  const day = paidAt.toISOString().slice(0, 10);
  return {
    path: `CAMT053_${id}.xml`,
    body: `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
  <GrpHdr><MsgId>${id}</MsgId><CreDtTm>${paidAt.toISOString()}</CreDtTm></GrpHdr>
  <Stmt><Id>${id}</Id><CreDtTm>${paidAt.toISOString()}</CreDtTm>
    <Acct><Id><Othr><Id>${escapeHtml(account)}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>
    <Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
      <BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>SIM${id}</AcctSvcrRef>
      <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
      <NtryDtls><TxDtls><Refs><AcctSvcrRef>SIM${id}</AcctSvcrRef></Refs>
        <RltdPties><Dbtr><Pty><Nm>${escapeHtml(payerName)}</Nm></Pty></Dbtr></RltdPties>
        <RmtInf><Ustrd>${escapeHtml(reference)}</Ustrd></RmtInf></TxDtls></NtryDtls>
    </Ntry>
  </Stmt>
</BkToCstmrStmt></Document>
`,
  };
}
