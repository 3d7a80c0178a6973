const splitWords = (text: string): string[] => text.split('|').map((word) => word.trim());

/** The column headings of banks, by role. Comparisons ignore character width, case, underscores and camel case. */
export const headerWords = {
  date: splitWords(`completed at | completed date | completed on | created on | created at | booked on
    | settled at | started date | txn posted date | date | transaction date | trans date | txn date
    | tran date | posting date | post date | booking date | entry date | date time | date/time
    | transaction date/time | 日期 | 交易日期 | 交易日 | 记账日期 | 記帳日期 | 記賬日期 | 入账日期
    | 入帳日期 | 交易时间 | 交易時間 | 记账日 | 取引日 | 日付 | お取引日 | お取扱日 | 거래일 | 거래일자
    | 거래일시 | 일자 | วันที่ | วันที่ทำรายการ | วันที่/เวลา | tanggal | tgl | tgl transaksi
    | tanggal transaksi | tarikh | tarikh transaksi | ngày | ngày giao dịch | ngày gd | ngày hạch toán
    | petsa | tgl tran | 交易创建时间 | 交易成功时间`),
  time: splitWords(`transaction hour | time | transaction time | txn time | 时间 | 時間 | 時刻
    | 取引時刻 | 거래시간 | 시간 | เวลา | jam | waktu | masa | giờ | giờ giao dịch`),
  valueDate: splitWords(
    `val date | value dat | value date | value dt | 起息日 | 起息日期 | 生效日期
    | ngày hiệu lực | tanggal efektif | val dt | effective date`,
  ),
  credit: splitWords(`money in amount | credited amount | credit amt | 입금액 | 貸方金額 | credit
    | credits | credit amount | deposit | deposits | deposit amount | deposit amt | paid in | money in
    | amount in | cr | cr amount | received | 存入 | 存款 | 收入 | 收入金额 | 收入金額 | 贷方 | 貸方
    | 贷方金额 | 贷方发生额 | 存入金額 | 存入金额 | 入金 | お預入 | お預り金額 | お預かり金額 | お預入金額
    | 入金金額 | 預入金額 | 입금 | 입금금액 | 맡기신금액 | 맡기신금액(원) | ฝาก | ฝากเงิน | เงินเข้า
    | เงินฝาก | จำนวนเงินฝาก | kredit | masuk | uang masuk | ghi có | phát sinh có | số tiền ghi có | có
    | tiền vào | wang masuk | 入金額 | mutasi kredit | crédit`),
  debit: splitWords(`debited amount | debit amt | debit | debits | debit amount | withdrawal
    | withdrawals | withdrawal amount | withdrawal amt | paid out | money out | amount out | dr | dr amount
    | spent | payment | 支出 | 支出金额 | 支出金額 | 提款 | 提取 | 借方 | 借方金额 | 借方发生额 | 借方金額
    | 提款金額 | 出金 | お引出 | お引き出し | お支払金額 | お引出金額 | 出金金額 | 支払金額 | 출금 | 출금액
    | 출금금액 | 찾으신금액 | ถอน | ถอนเงิน | เงินออก | จำนวนเงินถอน | debet | keluar | uang keluar | ghi nợ
    | phát sinh nợ | số tiền ghi nợ | nợ | tiền ra | wang keluar | 出金額 | mutasi debet | withdrawn amt
    | pengeluaran | débit`),
  amount: splitWords(`billing amount | wallet amount | net amount | gross amount | amount received
    | amount | transaction amount | txn amount | amt | value | 金额 | 金額 | 交易金额 | 交易金額 | 发生额
    | 發生額 | 取引金額 | 거래금액 | 금액 | จำนวนเงิน | จำนวน | jumlah | nominal | mutasi | số tiền
    | số tiền giao dịch | amaun | halaga`),
  direction: splitWords(`dr/cr | cr/dr | d/c | c/d | db/cr | cr/db | debit/credit | credit/debit | drcr
    | transaction type | type | indicator | 借贷 | 借貸 | 借贷标志 | 借贷方向 | 收支 | 收/支 | 收付标志
    | 入出金 | 入払区分 | 구분 | 입출금 | 입출금구분 | ประเภท | jenis | loại giao dịch | loại`),
  currency: splitWords(`billing currency | wallet currency | account currency | kode mata uang | currency
    | ccy | curr | currency code | 币种 | 幣別 | 货币 | 貨幣 | 通貨 | 통화 | สกุลเงิน | mata uang | loại tiền
    | tiền tệ | matawang`),
  // Without headings that may also mean the payer's account, such as `Account`.
  account: splitWords(`account number | account no | bank account | this party account | own account | norek
    | no rekening | nomor rekening | 本方账号 | 本方帳號`),
  references: splitWords(`transaction remarks | remark / particulars | transaction details 1 | payer reference
    | recipient reference | other payment details | payment details | beneficiary reference
    | sender reference | supplementary details | extended details | 交易摘要 | 交易备注 | 客户附言
    | 轉帳附言 | 송금메모 | 입금자메모 | บันทึกช่วยจำ | description | transaction description | reference
    | references | narrative | narration | particulars | details | transaction details | remarks | remark
    | memo | message | payment reference | customer reference | your reference | client reference
    | other party reference | code | purpose | note | notes | additional information | unique id text | 摘要
    | 备注 | 備註 | 附言 | 用途 | 交易说明 | 交易說明 | 说明 | 說明 | 详细信息 | 交易详情 | 留言 | 摘要内容
    | お取り扱い内容 | お取扱内容 | 内容 | メモ | 적요 | 내용 | 메모 | 기재내용 | 거래내용 | 통장표시내용
    | รายละเอียด | รายการ | หมายเหตุ | keterangan | uraian | deskripsi | berita | catatan | butiran | rujukan
    | nội dung | nội dung giao dịch | nội dung chi tiết | diễn giải | mô tả | ghi chú | mô tả giao dịch
    | 거래특이사항 | 거래기록사항 | 이체메모 | 交易附言 | 客户摘要`),
  payerName: splitWords(`sender's / receiver's name | sender / receiver name | from / to | payer/payee name
    | đối tác | payer | payer name | sender | sender name | remitter | remitter name | counterparty
    | counterparty name | other party | other party name | from | name | payee | payer/payee | 对方户名
    | 对方账户名 | 对方名称 | 對方戶名 | 付款人 | 付款人名称 | 匯款人 | 汇款人 | 振込人 | 振込依頼人
    | 依頼人名 | 보낸분 | 보낸사람 | 의뢰인 | 의뢰인/수취인 | 받는분/보낸분 | ผู้โอน | ชื่อผู้โอน | nama pengirim
    | pengirim | tên người gửi | người chuyển | tên đối ứng | nama penghantar`),
  payerAccount: splitWords(`payer account | sender account | counterparty account | other party account
    | from account | 对方账号 | 对方账户 | 對方帳號 | 付款账号 | 付款帳號 | 상대계좌번호 | บัญชีผู้โอน
    | rekening pengirim | tài khoản đối ứng | số tài khoản đối ứng`),
  bankReference: splitWords(`transferwise id | unique id | chq/ref number | ref no/cheque no | journal number
    | 거래고유번호 | transaction id | txn id | transaction no | transaction number | transaction reference
    | transaction ref | transaction ref no | bank reference | bank ref | reference no | reference number
    | ref no | ref | serial no | trace no | 流水号 | 交易流水号 | 流水號 | 交易序號 | 交易编号 | 交易編號
    | 交易參考編號 | 核心流水号 | 取引番号 | 거래번호 | เลขที่อ้างอิง | เลขที่รายการ | no ref | no referensi
    | nomor referensi | số tham chiếu | số giao dịch | mã giao dịch | số bút toán | no rujukan`),
  status: splitWords(
    `state | status | transaction status | 状态 | 狀態 | 交易状态 | 交易狀態 | 상태
    | สถานะ | trạng thái | 当前状态`,
  ),
  balance: splitWords(`balance | running balance | ledger balance | available balance | closing balance
    | 余额 | 餘額 | 结余 | 結餘 | 账户余额 | 残高 | 差引残高 | 잔액 | 거래후잔액 | ยอดคงเหลือ | คงเหลือ
    | saldo | baki | số dư`),
} satisfies Record<string, string[]>;

export type HeaderRole = keyof typeof headerWords;

/** Headings of `direction` that other columns have too, so the values decide. */
export const vagueDirectionHeadings = splitWords(`transaction type | type | indicator | 구분 | ประเภท | jenis
  | loại giao dịch | loại`);

/** Values of direction columns for incoming and outgoing movements. */
export const creditValues =
  splitWords(`+ | c | cr | credit | in | deposit | 贷 | 貸 | 贷方 | 貸方 | 收入 | 收 | 入金 | 입금
    | เงินเข้า | ฝาก | kredit | k | masuk | có | ghi có | 贷 cr | 貸 cr`);
export const debitValues =
  splitWords(`- | d | dr | db | debit | out | withdrawal | 借 | 借方 | 支出 | 支 | 出金 | 출금
    | เงินออก | ถอน | debet | keluar | nợ | ghi nợ | 借 dr`);

/** Values of status columns for booked movements. */
export const bookedValues =
  splitWords(`booked | posted | completed | complete | success | successful | settled | cleared
    | 成功 | 交易成功 | 已入账 | 已入帳 | 完成 | 정상 | 완료 | สำเร็จ | berhasil | sukses | thành công`);

/** Values of a status column for entries whose money has not moved, or not yet. */
export const unbookedValues =
  splitWords(`pending | processing | in progress | scheduled | created | on hold | authorized | authorised | open
    | failed | failure | declined | rejected | refused | cancelled | canceled | void | voided | expired | reverted
    | 未入账 | 未入帳 | 处理中 | 處理中 | 失败 | 失敗 | 交易失败 | 交易关闭 | 已关闭 | 取消 | 已取消
    | 대기 | 미결제 | 실패 | 취소 | chờ xử lý | thất bại | đã hủy | รอดำเนินการ | ล้มเหลว | ยกเลิก
    | gagal | batal | dibatalkan | tertunda`);

/** Values in the date column of movements that are not booked yet. */
export const pendingWords =
  splitWords(`pend | pending | pending transaction | 未入账 | 未入帳 | 处理中 | 處理中
  | 미결제 | chờ xử lý | รอดำเนินการ`);

/** The beginnings of rows with totals and balances, in the languages of the region. */
export const summaryWords = splitWords(`total | totals | subtotal | sub total | sub-total | grand total
  | balance at | balance as of | balance as at | opening balance | closing balance | balance brought forward | balance carried forward | balance b/f
  | balance c/f | beginning balance | ending balance | ledger balance | available balance | statement total
  | statement summary | saldo | saldo awal | saldo akhir | mutasi debet | mutasi debit | mutasi kredit
  | mutasi cr | mutasi db | jumlah | total mutasi | baki | baki permulaan | baki penutup | cộng | tổng | tổng cộng
  | số dư đầu kỳ | số dư cuối kỳ | số dư | 합계 | 총계 | 소계 | 누계 | 총합계 | 合计 | 合計 | 总计 | 總計 | 小计 | 小計
  | 人民币合计 | 本页合计 | 本頁合計 | 承前结余 | 承上結餘 | 期初余额 | 期末余额 | 期初餘額 | 期末餘額 | รวม | ยอดรวม | รวมทั้งสิ้น
  | ยอดยกมา | ยอดยกไป | no of transactions | number of transactions | count`);

/** The labels of accounts, currencies, periods and amounts in the rows above and below a table. */
export const metadataWords = {
  account:
    splitWords(`account number | account no | account num | account nr | account id | account details for
    | account transactions for | statement for account | acct no | acct number | acc no | a/c no | a/c number
    | bank account number | this party account | card number | card no | no rekening | no. rekening | nomor rekening
    | norek | nombor akaun | no akaun | no. akaun | เลขที่บัญชี | เลขบัญชี | หมายเลขบัญชี | 账号 | 帐号 | 賬號
    | 帳號 | 账户号码 | 帐户号码 | 賬戶號碼 | 帳戶號碼 | 戶口號碼 | 户口号码 | 银行账号 | 银行账户 | 本方账号
    | 本方帳號 | 卡号 | 卡號 | 口座番号 | 계좌번호 | số tài khoản | số tk | stk`),
  // These words also begin other labels, so the number must follow immediately.
  ambiguousAccount: splitWords(
    'account | acct | iban | rekening | akaun | บัญชี | 账户 | 帐户 | 帳戶 | 賬戶 | tài khoản',
  ),
  currency:
    splitWords(`currency | account currency | currency code | ccy | kode mata uang | mata uang | matawang
    | 币种 | 幣別 | 币别 | 幣種 | 货币 | 貨幣 | 通貨 | 통화 | สกุลเงิน | loại tiền | loại tiền tệ | tiền tệ`),
  period:
    splitWords(`statement period | transaction period | period | date range | periode | periode transaksi
    | periode mutasi | tempoh | ช่วงวันที่ | ระหว่างวันที่ | 起止日期 | 查询时间 | 查詢期間 | 交易期間 | 조회기간
    | 照会期間 | kỳ sao kê | from date | from | từ ngày`),
  periodEnd: splitWords('to date | to | đến ngày | ถึงวันที่ | 终止日期 | 結束日期'),
  openingBalance: splitWords(`opening balance | beginning balance | balance brought forward | brought forward
    | balance b/f | b/f balance | balance bf | saldo awal | baki permulaan | ยอดยกมา | số dư đầu kỳ | số dư đầu
    | 期初余额 | 期初餘額 | 承前结余 | 承前結餘 | 承上結餘 | 上期余额 | 上期餘額 | 前期繰越 | 기초잔액 | 이월잔액`),
  closingBalance: splitWords(`closing balance | ending balance | balance carried forward | carried forward
    | balance c/f | c/f balance | saldo akhir | baki penutup | ยอดยกไป | số dư cuối kỳ | số dư cuối | 期末余额
    | 期末餘額 | 기말잔액`),
  creditSum: splitWords(`mutasi kredit | mutasi cr | total kredit | total credit | total credits
    | total credit amount | total deposit | total deposits`),
  debitSum: splitWords(`mutasi debet | mutasi debit | mutasi db | total debet | total debit | total debits
    | total debit amount | total withdrawal | total withdrawals`),
} satisfies Record<string, string[]>;
