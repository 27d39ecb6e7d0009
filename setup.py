"""What a wheel holds: every folder that runs, under the one name `capsnet_explorer`.

In a checkout `app` and `model` stand beside it, and it has links to them. All else is
in pyproject.toml.
"""

from pathlib import Path

from setuptools import setup

NAME = "capsnet_explorer"
ROOT = Path(__file__).parent
CODE = (NAME, "app", "model")
DATA = {
    "docs": ["claims.md"],
    "static": ["**/*"],
    "templates": ["**/*"],
    "weights": ["*.safetensors", "*.json", "measured/*", "runs/**/*"],
}


def packages() -> dict[str, str]:
    """Return the folder of each package, by its name."""
    folders = [
        file.parent.relative_to(ROOT)
        for top in CODE
        for file in sorted((ROOT / top).rglob("__init__.py"))  # follows no links
    ]
    folders += [Path(folder) for folder in DATA]
    return {
        ".".join((NAME, *folder.parts[folder.parts[0] == NAME :])): folder.as_posix()
        for folder in folders
    }


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
