import yaml


def load_template(text, defaults={}):
    """A template is plain data, or a python object."""
    defaults.update(yaml.load(text, Loader=yaml.Loader))
    return defaults
