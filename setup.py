"""What a wheel holds: every folder that runs, under the one name `capsnet_explorer`.

The folders stay where they are in a checkout. All else is in pyproject.toml.
"""

from pathlib import Path

from setuptools import setup

NAME = "capsnet_explorer"
ROOT = Path(__file__).parent
CODE = (
    *("app", "dataset_files", "intake", "kept_files", "laboratory", "model"),
    *("picture_files", "sample_digits", "toys"),
)
DATA = {
    "docs": ["claims.md"],
    "static": ["**/*"],
    "templates": ["**/*"],
    "weights": ["*.safetensors", "*.json", "measured/*"],
}


def packages() -> dict[str, str]:
    """Return the folder of each package, by its name."""
    found = {NAME: NAME}
    for top in CODE:
        for file in sorted((ROOT / top).rglob("__init__.py")):
            folder = file.parent.relative_to(ROOT).as_posix()
            found[f"{NAME}.{folder.replace('/', '.')}"] = folder
    return found | {f"{NAME}.{folder}": folder for folder in DATA}


def package_data() -> dict[str, list[str]]:
    """Return what belongs to each package besides its Python."""
    beside = ["*.json", "*.md", "*.html", "*.js", "*.png", "en/*.md"]
    return {name: beside for name in packages()} | {
        f"{NAME}.{folder}": files for folder, files in DATA.items()
    }


if __name__ == "__main__":
    setup(
        packages=[*packages()],
        package_dir=packages(),
        package_data=package_data(),
    )
