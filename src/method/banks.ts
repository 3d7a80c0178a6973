import type { MethodCountry } from './catalog.ts';

/**
 * Names of banks and wallets by the code with which receiving accounts identify them: clearing code (HK, ID,
 * KR), NAPAS number (VN), first eight characters of the BIC (PH), first four letters of the IFSC (IN). Each name is
 * written as the apps of its country list it. Codes that are missing here show the name that the merchant entered.
 */
const banks: Partial<Record<MethodCountry, string>> = {
  HK: `003 Standard Chartered 渣打
004 HSBC 滙豐
006 Citibank 花旗
009 CCB (Asia) 建行（亞洲）
012 Bank of China (HK) 中銀香港
015 BEA 東亞
016 DBS 星展
018 China CITIC 中信銀行（國際）
020 CMB Wing Lung 招商永隆
024 Hang Seng 恒生
025 Shanghai Commercial 上商
028 Public Bank 大眾銀行
035 OCBC 華僑銀行
039 Chiyu 集友
040 Dah Sing 大新
041 Chong Hing 創興
043 NCB 南洋商業
061 Tai Sang 大生
072 ICBC (Asia) 工銀亞洲
128 Fubon 富邦
250 Citibank 花旗
382 BOCOM 交通銀行
387 ZA Bank 眾安
388 livi 理慧
389 Mox
390 WeLab Bank 滙立
391 Fusion Bank 富融
392 PAO Bank 平安數字
393 Ant Bank 螞蟻銀行
395 Airstar 天星`,
  ID: `002 BRI
008 Mandiri
009 BNI
011 Danamon
013 Permata
014 BCA
016 Maybank Indonesia
019 Panin
022 CIMB Niaga
023 UOB Indonesia
028 OCBC
031 Citibank
041 HSBC Indonesia
046 DBS Indonesia
050 Standard Chartered
110 bank bjb
111 Bank Jakarta
147 Muamalat
153 Sinarmas
200 BTN
213 SMBC Indonesia (Jenius)
426 Mega
441 KB Bank
451 BSI
484 KEB Hana
490 Neo Commerce
501 BCA Digital (blu)
503 Nobu
535 SeaBank
542 Bank Jago
567 Allo Bank`,
  KR: `002 KDB산업은행
003 IBK기업은행
004 KB국민은행
007 수협은행
011 NH농협은행
012 지역농·축협
020 우리은행
023 SC제일은행
027 한국씨티은행
031 iM뱅크(대구)
032 부산은행
034 광주은행
035 제주은행
037 전북은행
039 경남은행
045 새마을금고
048 신협
050 저축은행
071 우체국
081 하나은행
088 신한은행
089 케이뱅크
090 카카오뱅크
092 토스뱅크`,
  VN: `970400 SaigonBank
970403 Sacombank
970405 Agribank
970407 Techcombank
970409 Bac A Bank
970412 PVcomBank
970415 VietinBank
970416 ACB
970418 BIDV
970419 NCB
970422 MB
970423 TPBank
970424 Shinhan Bank
970425 ABBANK
970426 MSB
970427 VietABank
970428 Nam A Bank
970429 SCB
970430 PGBank
970431 Eximbank
970432 VPBank
970433 VietBank
970436 Vietcombank
970437 HDBank
970438 BAOVIET Bank
970440 SeABank
970441 VIB
970443 SHB
970446 Co-opBank
970448 OCB
970449 LPBank
970452 KienlongBank
970454 BVBank
971025 MoMo`,
  PH: `AUBKPHMM AUB
BNORPHMM BDO
BOPIPHMM BPI
CHBKPHMM China Bank
DBPHPHMM DBP
EWBCPHMM EastWest
GXCHPHM2 GCash
MBTCPHMM Metrobank
PAPHPHM1 Maya
PNBMPHMM PNB
RCBCPHMM RCBC
SETCPHMM Security Bank
TLBPPHMM LANDBANK
UBPHPHMM UnionBank`,
  IN: `AUBL AU Small Finance Bank
BARB Bank of Baroda
BDBL Bandhan Bank
BKID Bank of India
CBIN Central Bank of India
CNRB Canara Bank
FDRL Federal Bank
HDFC HDFC Bank
IBKL IDBI Bank
ICIC ICICI Bank
IDFB IDFC FIRST Bank
IDIB Indian Bank
INDB IndusInd Bank
IOBA Indian Overseas Bank
KKBK Kotak Mahindra Bank
MAHB Bank of Maharashtra
PUNB Punjab National Bank
RATN RBL Bank
SBIN State Bank of India
UBIN Union Bank of India
UCBA UCO Bank
UTIB Axis Bank
YESB YES BANK`,
};

export type Bank = { code: string; name: string };

/** Returns the known banks of a country. */
export function listBanks(country: MethodCountry): Bank[] {
  const lines = banks[country]?.split('\n') ?? [];
  return lines.map((line) => {
    const [code = '', ...name] = line.split(' ');
    return { code, name: name.join(' ') };
  });
}

const bankNames = new Map(
  (Object.keys(banks) as MethodCountry[]).flatMap((country) =>
    listBanks(country).map(({ code, name }) => [`${country} ${code}`, name] as const),
  ),
);

/** Returns the name of a bank by its code, or undefined if it is not in the list. */
export function getBankName(country: MethodCountry, code: string): string | undefined {
  return bankNames.get(`${country} ${code}`);
}
