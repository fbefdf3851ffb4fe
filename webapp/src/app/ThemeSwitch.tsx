import { Monitor, Moon, Sun } from "lucide-react";
import { RadioGroup } from "radix-ui";
import { useTranslation } from "react-i18next";
import { useTheme, type ThemeChoice } from "@/lib/theme/theme";

const choices: [ThemeChoice, typeof Sun][] = [
  ["system", Monitor],
  ["light", Sun],
  ["dark", Moon],
];

/** Chooses between light, dark, and the setting of the device. */
export function ThemeSwitch() {
  const { t } = useTranslation();
  const { choice, choose } = useTheme();
  return (
    <RadioGroup.Root
      value={choice}
      onValueChange={(value) => {
        choose(value as ThemeChoice);
      }}
      aria-label={t("theme.label")}
      orientation="horizontal"
      className="flex w-fit rounded-lg border border-rule bg-paper p-0.5"
    >
      {choices.map(([value, Icon]) => (
        <RadioGroup.Item
          key={value}
          value={value}
          aria-label={t(`theme.${value}`)}
          title={t(`theme.${value}`)}
          className="grid size-9 place-items-center rounded-md text-ink-soft hover:text-ink data-[state=checked]:bg-accent-soft data-[state=checked]:text-accent"
        >
          <Icon aria-hidden className="size-4" />
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
