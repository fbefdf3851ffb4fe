// Writes the sample notice that a visitor may try: invented parties, numbers that do not exist, and the layout of the
// portal's summary. Run `node sample/make.js` after a change, and commit the file that it writes.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A line of text: where it begins in points from the left, how far down the page, and whether it is bold. */
const at = (x, y, text, bold = false) => ({ x, y, text, bold });

const rows = (y, step, lines) => lines.map((text, index) => at(56, y + index * step, text));

const columns = [56, 110, 190, 270, 350, 430];
const table = (y, ...cells) => cells.map((text, index) => at(columns[index], y, text));

const pages = [
  [
    at(215, 70, "FORM GST DRC-01", true),
    at(232, 86, "[See rule 142(1)(a)]"),
    at(56, 118, "Reference No. : ZD290926000017Q"),
    at(400, 118, "Date : 14/09/2026"),
    ...rows(150, 16, [
      "To",
      "GSTIN/ID : 29ZZZPM0017K1Z4",
      "Name : MALGUDI STATIONERS",
      "Address : 12 Market Road, Malgudi",
    ]),
    ...rows(226, 16, [
      "Tax Period : APR 2022 - MAR 2023  F.Y. : 2022-2023",
      "Act / Rules Provisions : Section 73(1) of the CGST Act, 2017",
    ]),
    at(190, 282, "Summary of Show Cause Notice", true),
    ...rows(310, 18, [
      "1. Section under which show cause notice is issued : 73",
      "2. Date by which reply has to be submitted : 14/10/2026",
      "3. Date of personal hearing : 21/10/2026",
      "4. Time of personal hearing : 11:00 AM",
    ]),
    ...rows(400, 16, [
      "(a) Brief facts of the case : Credit claimed in FORM GSTR-3B for the above period was compared with",
      "the auto-drafted FORM GSTR-2B. The difference set out in the annexure was noticed.",
      "(b) Grounds : As per Annexure (uploaded with this summary).",
      "(c) Tax and other dues : (Amount in Rs.)",
    ]),
    ...table(486, "Act", "Tax", "Interest", "Penalty", "Fee", "Total"),
    ...table(504, "CGST", "48600.00", "26244.00", "4860.00", "0.00", "79704.00"),
    ...table(520, "SGST", "48600.00", "26244.00", "4860.00", "0.00", "79704.00"),
    ...table(538, "Total", "97200.00", "52488.00", "9720.00", "0.00", "159408.00"),
    ...rows(590, 16, [
      "Name : A. B. SAMPLE",
      "Designation : Assistant Commissioner of State Tax",
      "Jurisdiction : Malgudi Circle 1",
    ]),
    at(56, 770, "SAMPLE. Invented for trying out Munshi; no such person, number or notice exists."),
  ],
  [
    at(190, 70, "ANNEXURE TO FORM GST DRC-01", true),
    ...rows(110, 16, [
      "1. Excess claim of input tax credit in GSTR-3B over GSTR-2B. Credit claimed in Table 4(A)(5) of FORM",
      "GSTR-3B for the year is higher than the credit shown in FORM GSTR-2B by Rs. 97,200/-. Under section",
      "16(2)(aa) of the Act credit can be taken only if the supplier has furnished the details of the invoice,",
      "and under section 16(2)(c) only if the tax charged has actually been paid to the Government.",
    ]),
    ...rows(190, 16, [
      "Interest has been worked out under section 50(3). Penalty is proposed under section 73(9) read with",
      "section 122(2)(a) of the Act. You are required to show cause, by the date mentioned in the summary, why",
      "the tax with interest and penalty should not be recovered from you. You may make your reply in FORM GST",
      "DRC-06 under rule 142(4).",
    ]),
    at(56, 770, "SAMPLE. Invented for trying out Munshi; no such person, number or notice exists."),
  ],
];

const escaped = (text) => text.replace(/[\\()]/g, "\\$&");
const height = 842;

/** The content of a page, in the operators of PDF. */
const content = (lines) =>
  lines
    .map(({ x, y, text, bold }) => `BT /F${bold ? 2 : 1} 10 Tf ${x} ${height - y} Td (${escaped(text)}) Tj ET`)
    .join("\n");

const font = (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
const first = 5; // after the catalogue, the pages and the two fonts
const objects = [
  "<< /Type /Catalog /Pages 2 0 R >>",
  `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${first + index * 2} 0 R`).join(" ")}] >>`,
  font("Helvetica"),
  font("Helvetica-Bold"),
  ...pages.flatMap((lines, index) => {
    const stream = content(lines);
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 ${height}] /Contents ${first + index * 2 + 1} 0 R ` +
        "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>",
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ];
  }),
];

let file = "%PDF-1.4\n";
const places = objects.map((object, index) => {
  const place = file.length;
  file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  return place;
});
const xref = file.length;
file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
file += places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`;
writeFileSync(fileURLToPath(new URL("../src/features/notices/sample-notice.pdf", import.meta.url)), file, "latin1");
